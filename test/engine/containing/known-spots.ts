/** Well-known spots, and the place that people there would say they are in. */

export interface KnownSpot {
  readonly spot: string;
  readonly lat: number;
  readonly lng: number;
  /** Label of the first hit. */
  readonly expected: string;
  readonly isInside: boolean;
  /** Upper case; null for a point in no country. */
  readonly country: string | null;
  readonly reason: string;
}

type Row = readonly [spot: string, point: string, expected: string, reason: string];

/** Spots in a settlement. The country is that of the label. */
const INSIDE: Readonly<Record<string, readonly Row[]>> = {
  DE: [
    ['Kiel, north', '54.36,10.11', 'Kiel, Germany', 'the centre of Kronshagen is nearer'],
    ['Brandenburg Gate', '52.5163,13.3777', 'Berlin, Germany', 'the suburban area Tiergarten is nearer'],
    ['Ludwigshafen', '49.48,8.445', 'Ludwigshafen am Rhein, Germany', 'Mannheim, across the river, is twice as large'],
    ['Görlitz', '51.1528,14.9872', 'Görlitz, Germany', 'Zgorzelec is across a river that the border does not follow'],
    ['Frankfurt Airport', '50.0379,8.5622', 'Frankfurt am Main, Germany', 'Kelsterbach is nearer'],
    ['Kehl', '48.574,7.815', 'Kehl, Germany', 'Strasbourg, across the border, is eight times as large'],
    ['Büsingen', '47.6973,8.69', 'Büsingen, Germany', 'a village of Germany with Switzerland on all sides'],
  ],
  FR: [
    ['Eiffel Tower', '48.8584,2.2945', 'Paris, France', 'the centre of Neuilly is nearer'],
    ['Arc de Triomphe', '48.8738,2.295', 'Paris, France', 'two other towns are twice as near'],
    ['Palace of Versailles', '48.8049,2.1204', 'Versailles, France', 'a town next to a city keeps its own sights'],
    ['Saint-Louis', '47.59,7.56', 'Saint-Louis, France', 'Basel, across the border, is eight times as large'],
    ['Annemasse', '46.193,6.235', 'Annemasse, France', 'a suburb of Geneva across the border'],
  ],
  GB: [
    ['Buckingham Palace', '51.5014,-0.1419', 'London, United Kingdom', 'the City of Westminster is a part of London'],
    ['Brixton', '51.4613,-0.1156', 'London, United Kingdom', 'a suburban area, but not at its centre'],
    ['Heathrow Airport', '51.47,-0.4543', 'London, United Kingdom', 'at the edge of London, with villages around it'],
  ],
  PL: [['Zgorzelec', '51.15,15', 'Zgorzelec, Poland', 'the simplified border is on the wrong side of the point']],
  FI: [['Tornio', '65.8481,24.1466', 'Tornio, Finland', 'the simplified border puts its centre into Sweden']],
  AE: [['Dubai Airport', '25.2532,55.3657', 'Dubai, United Arab Emirates', 'twice as far as the centre of Sharjah']],
  CH: [['Basel', '47.5622,7.578', 'Basel, Switzerland', 'three countries meet here']],
  IT: [
    ['Colosseum', '41.8902,12.4922', 'Rome, Italy', 'Vatican City is a country of its own'],
    ['Campione', '45.9669,8.973', 'Campione, Italy', 'a village of Italy with Switzerland on all sides'],
  ],
  VA: [["St. Peter's Basilica", '41.9022,12.4539', 'Vatican City, Vatican City', 'Rome is across a border']],
  CY: [['Kyrenia', '35.3364,33.3182', 'Kyrenia, Cyprus', 'in Northern Cyprus, which has no code of its own']],
  GI: [['Gibraltar', '36.1408,-5.3536', 'Gibraltar, Gibraltar', 'a territory with its own code']],
  ES: [['Ceuta', '35.8894,-5.3213', 'Ceuta, Spain', 'a part of Spain in Africa, without an official code of its own']],
  DK: [['Copenhagen Airport', '55.618,12.6508', 'Copenhagen, Denmark', 'Dragør is nearer, Malmö across the border']],
  FO: [['Tórshavn', '62.0107,-6.7741', 'Tórshavn, Faroe Islands', 'an island territory with its own code']],
  UA: [['Simferopol', '44.9521,34.1024', 'Simferopol, Ukraine', 'the data puts Crimea into Ukraine']],
  EH: [['Dakhla', '23.68,-15.95', 'Dakhla, Western Sahara', 'the borders put it into Morocco']],
  RU: [['Red Square', '55.7539,37.6208', 'Moscow, Russia', 'dozens of suburban areas around it']],
  TR: [['Hagia Sophia', '41.0086,28.9802', 'Istanbul, Türkiye', 'the suburban area Eminönü is nearer']],
  EG: [['Pyramids of Giza', '29.9792,31.1342', 'Giza, Egypt', 'the centre of Kirdasah is nearer, Cairo is larger']],
  HK: [['Hong Kong', '22.2783,114.1747', 'Hong Kong, Hong Kong SAR China', 'a territory with its own code']],
  CN: [['Shenzhen', '22.5333,114.055', 'Shenzhen, Guangdong, China', 'next to Hong Kong']],
  JP: [
    ['Haneda Airport', '35.5494,139.7798', 'Tokyo, Japan', 'three times as far as the centre of Kawasaki'],
    ['Tokyo Tower', '35.6586,139.7454', 'Tokyo, Japan', 'a village is nearer than the centre, 6 km away'],
  ],
  AU: [
    [
      'Castle Hill',
      '-33.732,151.004',
      'Castle Hill, New South Wales, Australia',
      'a suburban area 24 km from the centre of Sydney, whose city is not known',
    ],
  ],
  US: [
    ['Hollywood Sign', '34.1341,-118.3215', 'Los Angeles, California, United States', '12 km from the centre'],
    ['Golden Gate Bridge', '37.8199,-122.4783', 'San Francisco, California, United States', 'Sausalito is nearer'],
    ['Los Angeles Airport', '33.9416,-118.4085', 'Los Angeles, California, United States', 'next to El Segundo'],
    ["O'Hare Airport", '41.9786,-87.9048', 'Chicago, Illinois, United States', '25 km from the centre'],
    ['Newark Airport', '40.6895,-74.1745', 'Newark, New Jersey, United States', 'in the disc of New York City'],
    [
      'El Paso',
      '31.775,-106.49',
      'El Paso, Texas, United States',
      'Ciudad Juárez, across the border, is twice as large',
    ],
  ],
  MX: [['Ciudad Juárez', '31.74,-106.487', 'Ciudad Juárez, Chihuahua, Mexico', 'next to El Paso']],
  CA: [
    ['Niagara Falls', '43.0799,-79.0747', 'Niagara Falls, Ontario, Canada', 'its namesake across the border is nearer'],
  ],
  PR: [['San Juan', '18.4663,-66.1057', 'San Juan, Puerto Rico', 'a territory with its own code']],
};

const OUTSIDE: Readonly<Record<string, readonly Row[]>> = {
  US: [
    [
      'Montana, at the border',
      '48.98,-113.5',
      'North Browning, Montana, United States',
      'Cardston in Canada is nearer',
    ],
  ],
  DE: [['Munich Airport', '48.3538,11.7861', 'Freising, Germany', 'in the fields, 28 km from Munich']],
  JP: [['Narita Airport', '35.772,140.3929', 'Narita, Japan', 'Tomisato is nearer, but much smaller in the data']],
  SE: [['Arlanda Airport', '59.6498,17.9238', 'Märsta, Sweden', '37 km from Stockholm, which it serves']],
  AQ: [['South Pole', '-90,0', 'McMurdo Station, Antarctica', 'the only place of Antarctica in the data']],
};

const IN_NO_COUNTRY: readonly Row[] = [
  ['South Pacific', '-35,-120', 'Hanga Roa, Chile', 'open sea: the nearest place of any country'],
  ['North Sea', '55.9,2.9', 'Whitby, United Kingdom', 'open sea, but not far from a coast'],
  ['North Pole', '90,0', 'Longyearbyen, Svalbard & Jan Mayen', 'open sea, and a pole'],
];

export const KNOWN_SPOTS: readonly KnownSpot[] = [
  ...spotsOf(INSIDE, true),
  ...spotsOf(OUTSIDE, false),
  ...IN_NO_COUNTRY.map((row) => createSpot(row, { isInside: false, country: null })),
];

function spotsOf(rowsByCountry: Readonly<Record<string, readonly Row[]>>, isInside: boolean): KnownSpot[] {
  return Object.entries(rowsByCountry).flatMap(([country, rows]) =>
    rows.map((row) => createSpot(row, { isInside, country })),
  );
}

function createSpot(
  [spot, point, expected, reason]: Row,
  fields: { readonly isInside: boolean; readonly country: string | null },
): KnownSpot {
  const [lat = 0, lng = 0] = point.split(',').map(Number);
  return { spot, lat, lng, expected, reason, ...fields };
}
