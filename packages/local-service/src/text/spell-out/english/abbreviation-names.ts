/** Abbreviations with or without a full stop. */
export const abbreviations: ReadonlyMap<string, string> = new Map(
  Object.entries({
    // Words.
    approx: 'approximately',
    avg: 'average',
    incl: 'including',
    excl: 'excluding',
    dept: 'department',
    etc: 'etcetera',
    resp: 'respectively',
    viz: 'namely',
    cf: 'compare',
    vs: 'versus',
    asap: 'as soon as possible',
    pls: 'please',
    'e.g': 'for example',
    'i.e': 'that is',
    eg: 'for example',
    'w/': 'with',
    'w/o': 'without',
    'and/or': 'and or',
    'n/a': 'not available',
    'on/off': 'on off',
    // Titles, and other parts of names.
    mr: 'mister',
    mrs: 'missus',
    prof: 'professor',
    sgt: 'sergeant',
    lt: 'lieutenant',
    capt: 'captain',
    jr: 'junior',
    sr: 'senior',
    bros: 'brothers',
    ltd: 'limited',
    govt: 'government',
    // Addresses.
    blvd: 'boulevard',
    rd: 'road',
    bldg: 'building',
    mt: 'mount',
    sq: 'square',
    pkwy: 'parkway',
    // Recipes.
    tsp: 'teaspoon',
    tbsp: 'tablespoon',
    // Names of letters and digits.
    'a/c': 'A C',
    'at&t': 'A T and T',
    'b&b': 'B and B',
    '24/7': 'twenty four seven',
    fyi: 'for your information',
    wifi: 'Wi Fi',
    iot: 'I O T',
    ios: 'I O S',
    ipv4: 'I P V 4',
    ipv6: 'I P V 6',
  }),
)

/** Abbreviations that without a full stop are words. */
export const withFullStop: ReadonlyMap<string, string> = new Map(
  Object.entries({
    // Measurements.
    temp: 'temperature',
    hum: 'humidity',
    min: 'minimum',
    max: 'maximum',
    est: 'estimated',
    // Times.
    hrs: 'hours',
    hr: 'hour',
    mins: 'minutes',
    secs: 'seconds',
    sec: 'second',
    // Names.
    co: 'company',
    corp: 'corporation',
    inc: 'incorporated',
    ft: 'fort',
    gen: 'general',
    rev: 'reverend',
    apt: 'apartment',
    // Words.
    tel: 'telephone',
    ext: 'extension',
    misc: 'miscellaneous',
  }),
)

/** Abbreviations before a number. */
export const beforeNumber: ReadonlyMap<string, string> = new Map(
  Object.entries({
    no: 'number',
    nos: 'numbers',
    nr: 'number',
    '№': 'number',
    // Parts of texts.
    p: 'page',
    pp: 'pages',
    ch: 'chapter',
    sec: 'section',
    '§': 'section',
    art: 'article',
    fig: 'figure',
    eq: 'equation',
    vol: 'volume',
    ed: 'edition',
    ver: 'version',
    // Limits, telephones and rooms.
    min: 'minimum',
    max: 'maximum',
    tel: 'telephone',
    ext: 'extension',
    rm: 'room',
    apt: 'apartment',
  }),
)
