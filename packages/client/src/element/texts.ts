/**
 * What the element says: tables with one row for each text, and one column for each language. A page may
 * replace each text.
 */
import type { PlaceType } from '../api-types.ts';

/** BCP 47 tags of the columns. Arabic and Hebrew are apart: editors would show neighbours in the wrong order. */
const LOCALES = 'en|de|fr|es|it|pt|nl|pl|ru|ar|hi|he|ja|ko|zh|tr|uk'.split('|');

const TEXTS = {
  /** Name of the field, unless the attribute `label` or a `<label>` has one. */
  label:
    'Search for a place|Ort suchen|Rechercher un lieu|Buscar un lugar|Cerca un luogo|Procurar um lugar|Plaats zoeken|Szukaj miejsca|Найти место|ابحث عن مكان|जगह खोजें|חיפוש מקום|場所を検索|장소 검색|搜索地点|Yer ara|Знайти місце',
  /** Name of the list. */
  list: 'Places|Orte|Lieux|Lugares|Luoghi|Lugares|Plaatsen|Miejsca|Места|الأماكن|जगहें|מקומות|場所|장소|地点|Yerler|Місця',
  /** Name of the button that empties the field. */
  clear:
    'Clear|Leeren|Effacer|Borrar|Cancella|Limpar|Wissen|Wyczyść|Очистить|مسح|साफ़ करें|ניקוי|消去|지우기|清除|Temizle|Очистити',
  /** Name of the button that finds the place where the user is. */
  locate:
    'Use my place|Meinen Standort verwenden|Utiliser ma position|Usar mi ubicación|Usa la mia posizione|Usar a minha localização|Mijn locatie gebruiken|Użyj mojej lokalizacji|Моё местоположение|استخدام موقعي|मेरी जगह का उपयोग करें|שימוש במיקום שלי|現在地を使う|내 위치 사용|使用我的位置|Konumumu kullan|Моє місцезнаходження',
  /** What the field says if it is required and no place is selected. */
  required:
    'Choose a place from the list.|Wählen Sie einen Ort aus der Liste.|Choisissez un lieu dans la liste.|Elija un lugar de la lista.|Scegli un luogo dall’elenco.|Escolha um lugar da lista.|Kies een plaats uit de lijst.|Wybierz miejsce z listy.|Выберите место из списка.|اختر مكانًا من القائمة.|सूची से कोई जगह चुनें।|יש לבחור מקום מהרשימה.|リストから場所を選んでください。|목록에서 장소를 선택하세요.|请从列表中选择一个地点。|Listeden bir yer seçin.|Виберіть місце зі списку.',
  none: 'No place found.|Kein Ort gefunden.|Aucun lieu trouvé.|No se encontró ningún lugar.|Nessun luogo trovato.|Nenhum lugar encontrado.|Geen plaats gevonden.|Nie znaleziono miejsca.|Место не найдено.|لم يُعثر على أي مكان.|कोई जगह नहीं मिली।|לא נמצא מקום.|場所が見つかりません。|장소를 찾을 수 없습니다.|未找到地点。|Yer bulunamadı.|Місце не знайдено.',
  /** The index file is still being loaded. */
  loading:
    'Loading the places…|Die Orte werden geladen …|Chargement des lieux…|Cargando los lugares…|Caricamento dei luoghi…|A carregar os lugares…|Plaatsen laden…|Wczytywanie miejsc…|Места загружаются…|جارٍ تحميل الأماكن…|जगहें लोड हो रही हैं…|המקומות נטענים…|場所を読み込んでいます…|장소를 불러오는 중…|正在加载地点…|Yerler yükleniyor…|Місця завантажуються…',
  /** What screen readers say after `found`, if Enter selects the first suggestion. */
  certain:
    'Enter selects it.|Die Eingabetaste wählt ihn aus.|Entrée le sélectionne.|Intro lo selecciona.|Invio lo seleziona.|Enter seleciona-o.|Enter kiest deze.|Enter je wybiera.|Enter выбирает его.|مفتاح الإدخال يختاره.|Enter इसे चुनता है।|מקש Enter בוחר בו.|Enterキーで選択します。|Enter 키로 선택합니다.|按回车键选择它。|Enter onu seçer.|Enter вибирає його.',
  offline:
    'You are offline.|Sie sind offline.|Vous êtes hors ligne.|No tiene conexión.|Sei offline.|Está offline.|U bent offline.|Brak połączenia z internetem.|Нет подключения к интернету.|أنت غير متصل بالإنترنت.|आप ऑफ़लाइन हैं।|אין חיבור לאינטרנט.|オフラインです。|오프라인 상태입니다.|您处于离线状态。|Çevrimdışısınız.|Немає з’єднання з інтернетом.',
  unreachable:
    'The service cannot be reached.|Der Dienst ist nicht erreichbar.|Le service est injoignable.|No se puede acceder al servicio.|Il servizio non è raggiungibile.|Não é possível contactar o serviço.|De dienst is niet bereikbaar.|Usługa jest nieosiągalna.|Сервис недоступен.|يتعذر الوصول إلى الخدمة.|सेवा से संपर्क नहीं हो पा रहा है।|אין גישה לשירות.|サービスに接続できません。|서비스에 연결할 수 없습니다.|无法连接到服务。|Hizmete ulaşılamıyor.|Сервіс недоступний.',
  slow: 'The service is too slow.|Der Dienst ist zu langsam.|Le service est trop lent.|El servicio es demasiado lento.|Il servizio è troppo lento.|O serviço está demasiado lento.|De dienst is te traag.|Usługa działa zbyt wolno.|Сервис отвечает слишком медленно.|الخدمة بطيئة جدًا.|सेवा बहुत धीमी है।|השירות איטי מדי.|サービスの応答が遅すぎます。|서비스가 너무 느립니다.|服务响应过慢。|Hizmet çok yavaş.|Сервіс відповідає надто повільно.',
  /** Any other error. The console says which. */
  unavailable:
    'The search is not available now.|Die Suche ist zurzeit nicht verfügbar.|La recherche n’est pas disponible pour le moment.|La búsqueda no está disponible ahora.|La ricerca non è al momento disponibile.|A pesquisa não está disponível agora.|Zoeken is nu niet mogelijk.|Wyszukiwanie jest teraz niedostępne.|Поиск сейчас недоступен.|البحث غير متاح الآن.|खोज अभी उपलब्ध नहीं है।|החיפוש אינו זמין כעת.|現在、検索を利用できません。|지금은 검색할 수 없습니다.|搜索暂时不可用。|Arama şu anda kullanılamıyor.|Пошук зараз недоступний.',
  /** The browser does not tell where the user is, or the user does not allow it. */
  unlocated:
    'Your place is not known.|Ihr Standort ist nicht bekannt.|Votre position n’est pas connue.|Se desconoce su ubicación.|La tua posizione non è nota.|A sua localização não é conhecida.|Uw locatie is niet bekend.|Twoja lokalizacja nie jest znana.|Ваше местоположение неизвестно.|موقعك غير معروف.|आपकी जगह पता नहीं चली।|המיקום שלך אינו ידוע.|現在地がわかりません。|위치를 알 수 없습니다.|无法获知您的位置。|Konumunuz bilinmiyor.|Ваше місцезнаходження невідоме.',
};

/** {0} and {1} stand for values. */
const TEXTS_WITH_VALUES = {
  people:
    '{0} people|{0} Einwohner|{0} hab.|{0} hab.|{0} abitanti|{0} hab.|{0} inwoners|{0} mieszk.|{0} чел.|{0} نسمة|{0} लोग|{0} תושבים|人口{0}人|인구 {0}명|{0}人|{0} kişi|{0} осіб',
  /** Another name of the place, which matched. */
  alias:
    'also “{0}”|auch „{0}“|aussi « {0} »|también «{0}»|anche «{0}»|também “{0}”|ook “{0}”|także „{0}”|также «{0}»|أيضًا «{0}»|“{0}” भी|גם „{0}”|別名「{0}」|다른 이름 ‘{0}’|又名“{0}”|“{0}” olarak da bilinir|також «{0}»',
  /** What screen readers say about a list of suggestions: how many there are, and the first. */
  found:
    'Places: {0}. First: {1}.|Orte: {0}. Erster: {1}.|Lieux : {0}. Premier : {1}.|Lugares: {0}. Primero: {1}.|Luoghi: {0}. Primo: {1}.|Lugares: {0}. Primeiro: {1}.|Plaatsen: {0}. Eerste: {1}.|Miejsca: {0}. Pierwsze: {1}.|Места: {0}. Первое: {1}.|الأماكن: {0}. الأول: {1}.|जगहें: {0}। पहली: {1}।|מקומות: {0}. הראשון: {1}.|場所：{0}。先頭：{1}。|장소: {0}. 첫 번째: {1}.|地点：{0}。第一个：{1}。|Yerler: {0}. İlki: {1}.|Місця: {0}. Перше: {1}.',
  /** The first part of `found` if more places match. */
  some: '{0} of {1}|{0} von {1}|{0} sur {1}|{0} de {1}|{0} di {1}|{0} de {1}|{0} van {1}|{0} z {1}|{0} из {1}|{0} من {1}|{1} में से {0}|{0} מתוך {1}|{1}件中{0}件|{1}개 중 {0}개|{1}个中的{0}个|{0}/{1}|{0} з {1}',
  /** The value is a wait, such as 30 sec. */
  limited:
    'Too many searches from your address. The search goes on by itself in {0}.|Zu viele Suchen von Ihrer Adresse. Die Suche geht in {0} von selbst weiter.|Trop de recherches depuis votre adresse. La recherche reprendra d’elle-même dans {0}.|Demasiadas búsquedas desde su dirección. La búsqueda continuará sola en {0}.|Troppe ricerche dal tuo indirizzo. La ricerca riprenderà da sola tra {0}.|Demasiadas pesquisas do seu endereço. A pesquisa continua sozinha em {0}.|Te veel zoekopdrachten vanaf uw adres. Het zoeken gaat over {0} vanzelf verder.|Zbyt wiele wyszukiwań z tego adresu. Wyszukiwanie zostanie wznowione za {0}.|Слишком много запросов с вашего адреса. Поиск продолжится через {0}.|عمليات بحث كثيرة من عنوانك. سيُستأنف البحث تلقائيًا بعد {0}.|आपके पते से बहुत ज़्यादा खोजें हुईं। खोज {0} में अपने आप आगे बढ़ेगी।|יותר מדי חיפושים מהכתובת שלך. החיפוש יימשך מעצמו בעוד {0}.|お使いのアドレスからの検索が多すぎます。{0}後に自動で再開します。|이 주소에서 검색이 너무 많습니다. {0} 후에 자동으로 계속됩니다.|来自您地址的搜索过多。搜索将在{0}后自动继续。|Adresinizden çok fazla arama yapıldı. Arama {0} sonra kendiliğinden devam edecek.|Забагато запитів із вашої адреси. Пошук продовжиться через {0}.',
  busy: 'The service is busy. The search goes on by itself in {0}.|Der Dienst ist überlastet. Die Suche geht in {0} von selbst weiter.|Le service est surchargé. La recherche reprendra d’elle-même dans {0}.|El servicio está saturado. La búsqueda continuará sola en {0}.|Il servizio è sovraccarico. La ricerca riprenderà da sola tra {0}.|O serviço está sobrecarregado. A pesquisa continua sozinha em {0}.|De dienst is overbelast. Het zoeken gaat over {0} vanzelf verder.|Usługa jest przeciążona. Wyszukiwanie zostanie wznowione za {0}.|Сервис перегружен. Поиск продолжится через {0}.|الخدمة مشغولة. سيُستأنف البحث تلقائيًا بعد {0}.|सेवा व्यस्त है। खोज {0} में अपने आप आगे बढ़ेगी।|השירות עמוס. החיפוש יימשך מעצמו בעוד {0}.|サービスが混み合っています。{0}後に自動で再開します。|서비스가 혼잡합니다. {0} 후에 자동으로 계속됩니다.|服务繁忙。搜索将在{0}后自动继续。|Hizmet yoğun. Arama {0} sonra kendiliğinden devam edecek.|Сервіс перевантажений. Пошук продовжиться через {0}.',
  /** After `offline`, `unreachable` or `slow`. */
  retry:
    'Trying again in {0}.|In {0} folgt ein neuer Versuch.|Nouvel essai dans {0}.|Nuevo intento en {0}.|Nuovo tentativo tra {0}.|Nova tentativa em {0}.|Nieuwe poging over {0}.|Za {0} nastąpi ponowna próba.|Новая попытка через {0}.|محاولة جديدة بعد {0}.|{0} में फिर कोशिश होगी।|ניסיון נוסף בעוד {0}.|{0}後に再試行します。|{0} 후에 다시 시도합니다.|{0}后重试。|{0} sonra yeniden denenecek.|Нова спроба через {0}.',
  /** No answer came from this address, a link: the browser may not trust its certificate. */
  untrusted:
    'Cannot reach {0}. If its certificate is self-signed, open this address once and accept it. Then type again.|{0} ist nicht erreichbar. Ist das Zertifikat selbst signiert, öffnen Sie die Adresse einmal und akzeptieren Sie es.|{0} est injoignable. Si son certificat est auto-signé, ouvrez cette adresse une fois et acceptez-le.|No se puede acceder a {0}. Si su certificado es autofirmado, abra esta dirección una vez y acéptelo.|{0} non è raggiungibile. Se il certificato è autofirmato, apri questo indirizzo una volta e accettalo.|Não é possível contactar {0}. Se o certificado for autoassinado, abra este endereço uma vez e aceite-o.|{0} is niet bereikbaar. Open dit adres één keer en accepteer het certificaat als het zelfondertekend is.|Adres {0} jest nieosiągalny. Jeśli jego certyfikat jest samopodpisany, otwórz ten adres i zaakceptuj certyfikat.|Адрес {0} недоступен. Если его сертификат самоподписанный, откройте этот адрес и примите сертификат.|يتعذر الوصول إلى {0}. إذا كانت شهادته موقعة ذاتيًا، فافتح هذا العنوان مرة واحدة واقبلها.|{0} से संपर्क नहीं हो पा रहा है। अगर उसका प्रमाणपत्र स्व-हस्ताक्षरित है, तो यह पता एक बार खोलकर उसे स्वीकार करें।|אין גישה אל {0}. אם האישור שלו חתום עצמית, יש לפתוח את הכתובת פעם אחת ולאשר אותו.|{0} に接続できません。証明書が自己署名の場合は、このアドレスを一度開いて許可してください。|{0}에 연결할 수 없습니다. 인증서가 자체 서명된 경우 이 주소를 한 번 열어 허용하세요.|无法连接到 {0}。如果其证书是自签名的，请打开该地址一次并接受证书。|{0} adresine ulaşılamıyor. Sertifikası kendinden imzalıysa bu adresi bir kez açıp kabul edin.|Адреса {0} недоступна. Якщо її сертифікат самопідписаний, відкрийте цю адресу й прийміть сертифікат.',
};

const TYPES = {
  city: 'city|Großstadt|grande ville|gran ciudad|grande città|cidade grande|grote stad|duże miasto|крупный город|مدينة كبيرة|महानगर|עיר גדולה|都市|대도시|大城市|büyük şehir|велике місто',
  town: 'town|Stadt|ville|ciudad|città|cidade|stad|miasto|город|مدينة|शहर|עיר|町|도시|城镇|şehir|місто',
  village: 'village|Dorf|village|pueblo|paese|vila|dorp|wieś|посёлок|قرية|गाँव|כפר|村|마을|村庄|köy|село',
  hamlet:
    'hamlet|Weiler|hameau|aldea|borgo|aldeia|gehucht|przysiółek|деревня|قرية صغيرة|छोटा गाँव|כפר קטן|集落|작은 마을|小村|küçük köy|хутір',
  locality:
    'locality|Ortschaft|lieu-dit|localidad|località|localidade|plaats|miejscowość|местность|موقع|इलाका|יישוב|地区|지역|地点|yerleşim yeri|місцевість',
  'suburban area':
    'suburban area|Stadtteil|quartier|barrio|quartiere|bairro|stadsdeel|dzielnica|район города|حي|उपनगर|שכונה|市街区|도시 구역|城区|semt|район міста',
} satisfies Record<PlaceType, string>;

type TextsWithValues = { readonly [Name in keyof typeof TEXTS_WITH_VALUES]: (...values: string[]) => string };

export interface SearchTexts extends Readonly<typeof TEXTS>, Omit<TextsWithValues, 'found' | 'some'> {
  /** BCP 47 tag of the numbers. */
  readonly locale: string;
  /** `total`: how many places match. */
  found(count: number, firstLabel: string, total: number): string;
  readonly types: Readonly<Partial<Record<PlaceType, string>>>;
}

export const ENGLISH: SearchTexts = textsOf('en');

/** The texts for a list of BCP 47 tags: those of the first language that the element knows, else English. */
export function textsOf(tags: string): SearchTexts {
  const languages = tags.split(',').map((tag) => tag.trim().split('-')[0]?.toLowerCase() ?? '');
  const locale = languages.find((language) => LOCALES.includes(language)) ?? 'en';
  const { found, some, ...withValues }: TextsWithValues = textsIn(locale, TEXTS_WITH_VALUES, filler);
  return {
    ...textsIn(locale, TEXTS, String),
    ...withValues,
    locale,
    found: (count, firstLabel, total) => found(total > count ? some(`${count}`, `${total}`) : `${count}`, firstLabel),
    types: textsIn(locale, TYPES, String),
  };
}

function textsIn<Name extends string, Text>(
  locale: string,
  table: Readonly<Record<Name, string>>,
  read: (text: string) => Text,
) {
  const column = LOCALES.indexOf(locale);
  const texts = Object.entries<string>(table).map(([name, row]) => [name, read(row.split('|')[column] ?? '')]);
  return Object.fromEntries(texts) as Record<Name, Text>;
}

function filler(text: string) {
  return (...values: string[]) => text.replace(/\{(\d)\}/g, (_, i) => values[i] ?? '');
}
