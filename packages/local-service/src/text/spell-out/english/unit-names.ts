const prefixNames: Readonly<Record<string, string>> = {
  T: 'tera',
  G: 'giga',
  M: 'mega',
  k: 'kilo',
  h: 'hecto',
  d: 'deci',
  c: 'centi',
  m: 'milli',
  µ: 'micro',
  n: 'nano',
}

/** The names of units by symbol. The star marks the place of the plural s; a bar separates singular and plural. */
export const unitNames: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...withPrefixes('m', 'meter*', 'k c d m µ n'),
    ...withPrefixes('g', 'gram*', 'k m µ'),
    ...withPrefixes('l', 'liter*', 'm c d'),
    ...withPrefixes('L', 'liter*', 'm c d'),
    ...withPrefixes('s', 'second*', 'm µ n'),
    ...withPrefixes('W', 'watt*', 'm k M G'),
    ...withPrefixes('Wp', 'watt* peak', 'k M'),
    ...withPrefixes('Wh', 'watt hour*', 'm k M G T'),
    ...withPrefixes('V', 'volt*', 'm k'),
    ...withPrefixes('VA', 'volt ampere*', 'k'),
    ...withPrefixes('A', 'amp*', 'm k µ'),
    ...withPrefixes('Ah', 'amp hour*', 'm'),
    ...withPrefixes('Hz', 'hertz', 'k M G'),
    ...withPrefixes('Ω', 'ohm*', 'k M'),
    ...withPrefixes('J', 'joule*', 'k M'),
    ...withPrefixes('N', 'newton*', 'k'),
    ...withPrefixes('Pa', 'pascal*', 'h k M'),
    ...withPrefixes('bar', 'bar*', 'm'),
    ...withPrefixes('cal', 'calorie*', 'k'),
    ...withPrefixes('B', 'byte*', 'k M G T'),
    ...withPrefixes('bit', 'bit*', 'k M G'),
    ...withPrefixes('b', 'bit*', 'k M G'),
    ...withPrefixes('bps', 'bit* per second', 'k M G'),
    ...withPrefixes('lx', 'lux', 'k'),
    // Data, in other spellings and powers of two.
    KB: 'kilobyte*',
    KiB: 'kibibyte*',
    MiB: 'mebibyte*',
    GiB: 'gibibyte*',
    Kbps: 'kilobit* per second',
    // Temperatures and angles.
    '°C': 'degree* Celsius',
    '°F': 'degree* Fahrenheit',
    '°': 'degree*',
    ºC: 'degree* Celsius',
    C: 'degree* Celsius',
    F: 'degree* Fahrenheit',
    K: 'kelvin',
    '℃': 'degree* Celsius',
    '℉': 'degree* Fahrenheit',
    // Shares and humidity.
    '%': 'percent',
    '‰': 'per mille',
    '%RH': 'percent relative humidity',
    rH: 'relative humidity',
    // Times.
    h: 'hour*',
    hr: 'hour*',
    hrs: 'hour*',
    min: 'minute*',
    mins: 'minute*',
    sec: 'second*',
    secs: 'second*',
    d: 'day*',
    wk: 'week*',
    wks: 'week*',
    mo: 'month*',
    yr: 'year*',
    yrs: 'year*',
    // Speeds and rates.
    kph: 'kilometer* per hour',
    kmh: 'kilometer* per hour',
    mph: 'mile* per hour',
    kn: 'knot*',
    rpm: 'revolution* per minute',
    bpm: 'beat* per minute',
    fps: 'frame* per second',
    // Air, sound and light.
    ppm: 'part* per million',
    ppb: 'part* per billion',
    dB: 'decibel*',
    dBm: 'D B M',
    'dB(A': 'decibel*',
    lm: 'lumen*',
    lux: 'lux',
    // Mass, torque and pressure.
    t: 'ton*',
    kt: 'kiloton*',
    Nm: 'newton meter*',
    psi: 'P S I',
    mmHg: 'millimeter* of mercury',
    inHg: 'inch|inches of mercury',
    // Lengths, areas, weights and volumes.
    ft: 'foot|feet',
    '′': 'foot|feet',
    "'": 'foot|feet',
    in: 'inch|inches',
    '″': 'inch|inches',
    yd: 'yard*',
    mi: 'mile*',
    sqm: 'square meter*',
    sqft: 'square foot|square feet',
    ha: 'hectare*',
    oz: 'ounce*',
    lb: 'pound*',
    lbs: 'pound*',
    gal: 'gallon*',
    tsp: 'teaspoon*',
    tbsp: 'tablespoon*',
    // Counts.
    pcs: 'piece*',
    px: 'pixel*',
    k: 'thousand',
    // Money.
    ct: 'cent*',
    '¢': 'cent*',
    '€': 'euro*',
    $: 'dollar*',
    '£': 'pound*',
  }),
)

/** A unit and its multiples. @param prefixes separated by spaces. */
function withPrefixes(symbol: string, name: string, prefixes: string): Record<string, string> {
  const entries = prefixes.split(' ').map((prefix) => {
    // Flite reads "milliamps" as one word with another stress.
    const gap = name.startsWith('amp') ? ' ' : ''
    return [prefix + symbol, prefixNames[prefix] + gap + name] as const
  })
  return { [symbol]: name, ...Object.fromEntries(entries) }
}
