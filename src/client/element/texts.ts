/** What the element says, in the languages that it knows. A page may replace each text. */
import type { PlaceType } from '../api-types.ts';

const PLACE_TYPES: readonly PlaceType[] = ['city', 'town', 'village', 'hamlet', 'locality', 'suburban area'];

export const ENGLISH = {
  /** BCP 47 tag of the numbers. */
  locale: 'en',
  /** Name of the field, unless the attribute `label` or a `<label>` has one. */
  label: 'Search for a place',
  /** Name of the list. */
  list: 'Places',
  /** Name of the button that empties the field. */
  clear: 'Clear',
  /** Name of the button that finds the place where the user is. */
  locate: 'Use my place',
  /** What the field says if it is required and no place is selected. */
  required: 'Choose a place from the list.',
  none: 'No place found.',
  /** The index file is still being loaded. */
  loading: 'Loading the places…',
  people: (count: string): string => `${count} people`,
  /** Another name of the place, which matched. */
  alias: (name: string): string => `also “${name}”`,
  /** What screen readers say about a list of suggestions. `total`: how many places match. */
  found: (count: number, firstLabel: string, total: number): string =>
    `${count}${total > count ? ` of ${total}` : ''} ${total === 1 ? 'place' : 'places'}. First: ${firstLabel}.`,
  /** What screen readers say after `found`, if Enter selects the first suggestion. */
  certain: 'Enter selects it.',
  /** `wait`: such as 30 sec. */
  limited: (wait: string): string => `Too many searches from your address. The search goes on by itself in ${wait}.`,
  busy: (wait: string): string => `The service is busy. The search goes on by itself in ${wait}.`,
  /** After one of the next three. */
  retry: (wait: string): string => `Trying again in ${wait}.`,
  offline: 'You are offline.',
  unreachable: 'The service cannot be reached.',
  slow: 'The service is too slow.',
  /** Any other error. The console says which. */
  unavailable: 'The search is not available now.',
  /** The browser does not tell where the user is, or the user does not allow it. */
  unlocated: 'Your place is not known.',
  /** No answer came from this address, a link: the browser may not trust its certificate. */
  untrusted: (address: string): string =>
    `Cannot reach ${address}. If its certificate is self-signed, open this address once and accept it. Then type again.`,
  types: Object.fromEntries(PLACE_TYPES.map((type) => [type, type])) as Readonly<Partial<Record<PlaceType, string>>>,
};

export interface SearchTexts extends Readonly<typeof ENGLISH> {}

/** The texts of a language in this order, before its types; {0} and {1} stand for what a text is about. */
const NAMES = (
  'label list clear locate required none loading people alias some found certain ' +
  'limited busy retry offline unreachable slow unavailable unlocated untrusted'
).split(' ');
const FUNCTIONS = ['people', 'alias', 'limited', 'busy', 'retry', 'untrusted'];

const TABLE: Readonly<Record<string, string>> = {
  de: `Ort suchen|Orte|Leeren|Meinen Standort verwenden|Wählen Sie einen Ort aus der Liste.|Kein Ort gefunden.
Die Orte werden geladen …|{0} Einwohner|auch „{0}“|{0} von {1}|Orte: {0}. Erster: {1}.|Die Eingabetaste wählt ihn aus.
Zu viele Suchen von Ihrer Adresse. Die Suche geht in {0} von selbst weiter.
Der Dienst ist überlastet. Die Suche geht in {0} von selbst weiter.|In {0} folgt ein neuer Versuch.|Sie sind offline.
Der Dienst ist nicht erreichbar.|Der Dienst ist zu langsam.|Die Suche ist zurzeit nicht verfügbar.|Ihr Standort ist nicht bekannt.
{0} ist nicht erreichbar. Ist das Zertifikat selbst signiert, öffnen Sie die Adresse einmal und akzeptieren Sie es.
Großstadt|Stadt|Dorf|Weiler|Ortschaft|Stadtteil`,
  fr: `Rechercher un lieu|Lieux|Effacer|Utiliser ma position|Choisissez un lieu dans la liste.|Aucun lieu trouvé.
Chargement des lieux…|{0} hab.|aussi « {0} »|{0} sur {1}|Lieux : {0}. Premier : {1}.|Entrée le sélectionne.
Trop de recherches depuis votre adresse. La recherche reprendra d’elle-même dans {0}.
Le service est surchargé. La recherche reprendra d’elle-même dans {0}.|Nouvel essai dans {0}.|Vous êtes hors ligne.
Le service est injoignable.|Le service est trop lent.|La recherche n’est pas disponible pour le moment.|Votre position n’est pas connue.
{0} est injoignable. Si son certificat est auto-signé, ouvrez cette adresse une fois et acceptez-le.
grande ville|ville|village|hameau|lieu-dit|quartier`,
  es: `Buscar un lugar|Lugares|Borrar|Usar mi ubicación|Elija un lugar de la lista.|No se encontró ningún lugar.
Cargando los lugares…|{0} hab.|también «{0}»|{0} de {1}|Lugares: {0}. Primero: {1}.|Intro lo selecciona.
Demasiadas búsquedas desde su dirección. La búsqueda continuará sola en {0}.
El servicio está saturado. La búsqueda continuará sola en {0}.|Nuevo intento en {0}.|No tiene conexión.
No se puede acceder al servicio.|El servicio es demasiado lento.|La búsqueda no está disponible ahora.|Se desconoce su ubicación.
No se puede acceder a {0}. Si su certificado es autofirmado, abra esta dirección una vez y acéptelo.
gran ciudad|ciudad|pueblo|aldea|localidad|barrio`,
  it: `Cerca un luogo|Luoghi|Cancella|Usa la mia posizione|Scegli un luogo dall’elenco.|Nessun luogo trovato.
Caricamento dei luoghi…|{0} abitanti|anche «{0}»|{0} di {1}|Luoghi: {0}. Primo: {1}.|Invio lo seleziona.
Troppe ricerche dal tuo indirizzo. La ricerca riprenderà da sola tra {0}.
Il servizio è sovraccarico. La ricerca riprenderà da sola tra {0}.|Nuovo tentativo tra {0}.|Sei offline.
Il servizio non è raggiungibile.|Il servizio è troppo lento.|La ricerca non è al momento disponibile.|La tua posizione non è nota.
{0} non è raggiungibile. Se il certificato è autofirmato, apri questo indirizzo una volta e accettalo.
grande città|città|paese|borgo|località|quartiere`,
  pt: `Procurar um lugar|Lugares|Limpar|Usar a minha localização|Escolha um lugar da lista.|Nenhum lugar encontrado.
A carregar os lugares…|{0} hab.|também “{0}”|{0} de {1}|Lugares: {0}. Primeiro: {1}.|Enter seleciona-o.
Demasiadas pesquisas do seu endereço. A pesquisa continua sozinha em {0}.
O serviço está sobrecarregado. A pesquisa continua sozinha em {0}.|Nova tentativa em {0}.|Está offline.
Não é possível contactar o serviço.|O serviço está demasiado lento.|A pesquisa não está disponível agora.|A sua localização não é conhecida.
Não é possível contactar {0}. Se o certificado for autoassinado, abra este endereço uma vez e aceite-o.
cidade grande|cidade|vila|aldeia|localidade|bairro`,
  nl: `Plaats zoeken|Plaatsen|Wissen|Mijn locatie gebruiken|Kies een plaats uit de lijst.|Geen plaats gevonden.
Plaatsen laden…|{0} inwoners|ook “{0}”|{0} van {1}|Plaatsen: {0}. Eerste: {1}.|Enter kiest deze.
Te veel zoekopdrachten vanaf uw adres. Het zoeken gaat over {0} vanzelf verder.
De dienst is overbelast. Het zoeken gaat over {0} vanzelf verder.|Nieuwe poging over {0}.|U bent offline.
De dienst is niet bereikbaar.|De dienst is te traag.|Zoeken is nu niet mogelijk.|Uw locatie is niet bekend.
{0} is niet bereikbaar. Open dit adres één keer en accepteer het certificaat als het zelfondertekend is.
grote stad|stad|dorp|gehucht|plaats|stadsdeel`,
  pl: `Szukaj miejsca|Miejsca|Wyczyść|Użyj mojej lokalizacji|Wybierz miejsce z listy.|Nie znaleziono miejsca.
Wczytywanie miejsc…|{0} mieszk.|także „{0}”|{0} z {1}|Miejsca: {0}. Pierwsze: {1}.|Enter je wybiera.
Zbyt wiele wyszukiwań z tego adresu. Za {0} zostanie wznowione.
Usługa jest przeciążona. Za {0} zostanie wznowione.|Za {0} nastąpi ponowna próba.|Brak połączenia z internetem.
Usługa jest nieosiągalna.|Usługa działa zbyt wolno.|Wyszukiwanie jest teraz niedostępne.|Twoja lokalizacja nie jest znana.
Adres {0} jest nieosiągalny. Jeśli jego certyfikat jest samopodpisany, otwórz ten adres i zaakceptuj certyfikat.
duże miasto|miasto|wieś|przysiółek|miejscowość|dzielnica`,
  ru: `Найти место|Места|Очистить|Моё местоположение|Выберите место из списка.|Место не найдено.
Места загружаются…|{0} чел.|также «{0}»|{0} из {1}|Места: {0}. Первое: {1}.|Enter выбирает его.
Слишком много запросов с вашего адреса. Поиск продолжится через {0}.
Сервис перегружен. Поиск продолжится через {0}.|Новая попытка через {0}.|Нет подключения к интернету.
Сервис недоступен.|Сервис отвечает слишком медленно.|Поиск сейчас недоступен.|Ваше местоположение неизвестно.
Адрес {0} недоступен. Если его сертификат самоподписанный, откройте этот адрес и примите сертификат.
крупный город|город|посёлок|деревня|местность|район города`,
  ar: `ابحث عن مكان|الأماكن|مسح|استخدام موقعي|اختر مكانًا من القائمة.|لم يُعثر على أي مكان.
جارٍ تحميل الأماكن…|{0} نسمة|أيضًا «{0}»|{0} من {1}|الأماكن: {0}. الأول: {1}.|مفتاح الإدخال يختاره.
عمليات بحث كثيرة من عنوانك. سيُستأنف البحث تلقائيًا بعد {0}.
الخدمة مشغولة. سيُستأنف البحث تلقائيًا بعد {0}.|محاولة جديدة بعد {0}.|أنت غير متصل بالإنترنت.
يتعذر الوصول إلى الخدمة.|الخدمة بطيئة جدًا.|البحث غير متاح الآن.|موقعك غير معروف.
يتعذر الوصول إلى {0}. إذا كانت شهادته موقعة ذاتيًا، فافتح هذا العنوان مرة واحدة واقبلها.
مدينة كبيرة|مدينة|قرية|قرية صغيرة|موقع|حي`,
  he: `חיפוש מקום|מקומות|ניקוי|שימוש במיקום שלי|יש לבחור מקום מהרשימה.|לא נמצא מקום.
המקומות נטענים…|{0} תושבים|גם „{0}”|{0} מתוך {1}|מקומות: {0}. הראשון: {1}.|מקש Enter בוחר בו.
יותר מדי חיפושים מהכתובת שלך. החיפוש יימשך מעצמו בעוד {0}.
השירות עמוס. החיפוש יימשך מעצמו בעוד {0}.|ניסיון נוסף בעוד {0}.|אין חיבור לאינטרנט.
אין גישה לשירות.|השירות איטי מדי.|החיפוש אינו זמין כעת.|המיקום שלך אינו ידוע.
אין גישה אל {0}. אם האישור שלו חתום עצמית, יש לפתוח את הכתובת פעם אחת ולאשר אותו.
עיר גדולה|עיר|כפר|כפר קטן|יישוב|שכונה`,
  hi: `जगह खोजें|जगहें|साफ़ करें|मेरी जगह का उपयोग करें|सूची से कोई जगह चुनें।|कोई जगह नहीं मिली।
जगहें लोड हो रही हैं…|{0} लोग|“{0}” भी|{1} में से {0}|जगहें: {0}। पहली: {1}।|Enter इसे चुनता है।
आपके पते से बहुत ज़्यादा खोजें हुईं। खोज {0} में अपने आप आगे बढ़ेगी।
सेवा व्यस्त है। खोज {0} में अपने आप आगे बढ़ेगी।|{0} में फिर कोशिश होगी।|आप ऑफ़लाइन हैं।
सेवा से संपर्क नहीं हो पा रहा है।|सेवा बहुत धीमी है।|खोज अभी उपलब्ध नहीं है।|आपकी जगह पता नहीं चली।
{0} से संपर्क नहीं हो पा रहा है। अगर उसका प्रमाणपत्र स्व-हस्ताक्षरित है, तो यह पता एक बार खोलकर उसे स्वीकार करें।
महानगर|शहर|गाँव|छोटा गाँव|इलाका|उपनगर`,
  ja: `場所を検索|場所|消去|現在地を使う|リストから場所を選んでください。|場所が見つかりません。
場所を読み込んでいます…|人口{0}人|別名「{0}」|{1}件中{0}件|場所：{0}。先頭：{1}。|Enterキーで選択します。
お使いのアドレスからの検索が多すぎます。{0}後に自動で再開します。
サービスが混み合っています。{0}後に自動で再開します。|{0}後に再試行します。|オフラインです。
サービスに接続できません。|サービスの応答が遅すぎます。|現在、検索を利用できません。|現在地がわかりません。
{0} に接続できません。証明書が自己署名の場合は、このアドレスを一度開いて許可してください。
都市|町|村|集落|地区|市街区`,
  ko: `장소 검색|장소|지우기|내 위치 사용|목록에서 장소를 선택하세요.|장소를 찾을 수 없습니다.
장소를 불러오는 중…|인구 {0}명|다른 이름 ‘{0}’|{1}개 중 {0}개|장소: {0}. 첫 번째: {1}.|Enter 키로 선택합니다.
이 주소에서 검색이 너무 많습니다. {0} 후에 자동으로 계속됩니다.
서비스가 혼잡합니다. {0} 후에 자동으로 계속됩니다.|{0} 후에 다시 시도합니다.|오프라인 상태입니다.
서비스에 연결할 수 없습니다.|서비스가 너무 느립니다.|지금은 검색할 수 없습니다.|위치를 알 수 없습니다.
{0}에 연결할 수 없습니다. 인증서가 자체 서명된 경우 이 주소를 한 번 열어 허용하세요.
대도시|도시|마을|작은 마을|지역|도시 구역`,
  zh: `搜索地点|地点|清除|使用我的位置|请从列表中选择一个地点。|未找到地点。
正在加载地点…|{0}人|又名“{0}”|{1}个中的{0}个|地点：{0}。第一个：{1}。|按回车键选择它。
来自您地址的搜索过多。搜索将在{0}后自动继续。
服务繁忙。搜索将在{0}后自动继续。|{0}后重试。|您处于离线状态。
无法连接到服务。|服务响应过慢。|搜索暂时不可用。|无法获知您的位置。
无法连接到 {0}。如果其证书是自签名的，请打开该地址一次并接受证书。
大城市|城镇|村庄|小村|地点|城区`,
  tr: `Yer ara|Yerler|Temizle|Konumumu kullan|Listeden bir yer seçin.|Yer bulunamadı.
Yerler yükleniyor…|{0} kişi|“{0}” olarak da bilinir|{0}/{1}|Yerler: {0}. İlki: {1}.|Enter onu seçer.
Adresinizden çok fazla arama yapıldı. Arama {0} sonra kendiliğinden devam edecek.
Hizmet yoğun. Arama {0} sonra kendiliğinden devam edecek.|{0} sonra yeniden denenecek.|Çevrimdışısınız.
Hizmete ulaşılamıyor.|Hizmet çok yavaş.|Arama şu anda kullanılamıyor.|Konumunuz bilinmiyor.
{0} adresine ulaşılamıyor. Sertifikası kendinden imzalıysa bu adresi bir kez açıp kabul edin.
büyük şehir|şehir|köy|küçük köy|yerleşim yeri|semt`,
  uk: `Знайти місце|Місця|Очистити|Моє місцезнаходження|Виберіть місце зі списку.|Місце не знайдено.
Місця завантажуються…|{0} осіб|також «{0}»|{0} з {1}|Місця: {0}. Перше: {1}.|Enter вибирає його.
Забагато запитів із вашої адреси. Пошук продовжиться через {0}.
Сервіс перевантажений. Пошук продовжиться через {0}.|Нова спроба через {0}.|Немає з’єднання з інтернетом.
Сервіс недоступний.|Сервіс відповідає надто повільно.|Пошук зараз недоступний.|Ваше місцезнаходження невідоме.
Адреса {0} недоступна. Якщо її сертифікат самопідписаний, відкрийте цю адресу й прийміть сертифікат.
велике місто|місто|село|хутір|місцевість|район міста`,
};

/** The texts for a list of BCP 47 tags: those of the first language that the element knows, else English. */
export function textsOf(tags: string): SearchTexts {
  for (const tag of tags.toLowerCase().split(',')) {
    const [locale = ''] = tag.trim().split('-');
    if (locale === 'en') return ENGLISH;
    if (Object.hasOwn(TABLE, locale)) return read(locale, TABLE[locale]!.split(/[|\n]/));
  }
  return ENGLISH;
}

function read(locale: string, texts: readonly string[]): SearchTexts {
  const named = Object.fromEntries(NAMES.map((name, i) => [name, texts[i] ?? '']));
  const fill = (name: string, ...values: readonly string[]) =>
    (named[name] ?? '').replace(/\{(\d)\}/g, (_, i) => values[i] ?? '');
  const functions = FUNCTIONS.map((name) => [name, (value: string) => fill(name, value)]);
  return {
    ...ENGLISH,
    ...named,
    ...Object.fromEntries(functions),
    found: (count, first, total) =>
      fill('found', total > count ? fill('some', `${count}`, `${total}`) : `${count}`, first),
    locale,
    types: Object.fromEntries(PLACE_TYPES.map((type, i) => [type, texts[NAMES.length + i] ?? ''])),
  };
}
