/** Writes a number up to 9,999 in words. */
type Writer = (value: number) => string[]

const english = {
  small:
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
  tens: 'twenty thirty forty fifty sixty seventy eighty ninety',
}
const german = {
  small:
    'null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn',
  tens: 'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig',
}
const french = {
  small:
    'zéro un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf',
  tens: 'vingt trente quarante cinquante soixante',
}
const spanish = {
  small:
    'cero uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve',
  tens: 'treinta cuarenta cincuenta sesenta setenta ochenta noventa',
  hundreds:
    'ciento doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos',
}

const small = (words: string, value: number) => words.split(' ')[value]!
const tensOf = (words: string, value: number, first = 2) =>
  words.split(' ')[Math.floor(value / 10) - first]!

function writeEnglish(value: number): string {
  if (value < 20) return small(english.small, value)
  if (value < 100) {
    const rest = value % 10
    const tens = tensOf(english.tens, value)
    return rest ? `${tens} ${small(english.small, rest)}` : tens
  }
  const [size, name] = value < 1000 ? [100, 'hundred'] : [1000, 'thousand']
  const rest = value % size
  const head = `${writeEnglish(Math.floor(value / size))} ${name}`
  return rest ? `${head} ${writeEnglish(rest)}` : head
}

function writeGerman(value: number): string {
  if (value < 20) return small(german.small, value)
  if (value < 100) {
    const rest = value % 10
    const tens = tensOf(german.tens, value)
    return rest ? `${rest === 1 ? 'ein' : small(german.small, rest)}und${tens}` : tens
  }
  const [size, name] = value < 1000 ? [100, 'hundert'] : [1000, 'tausend']
  const count = Math.floor(value / size)
  const rest = value % size
  return `${count === 1 ? 'ein' : writeGerman(count)}${name}${rest ? writeGerman(rest) : ''}`
}

function writeFrench(value: number): string {
  if (value < 20) return small(french.small, value)
  if (value < 100) {
    // Seventy is sixty ten, eighty is four twenties.
    const isScore = value >= 60
    const base = isScore ? (value < 80 ? 60 : 80) : Math.floor(value / 10) * 10
    const rest = value - base
    const tens = base === 80 ? (rest ? 'quatre-vingt' : 'quatre-vingts') : tensOf(french.tens, base)
    if (rest === 0) return tens
    const isJoined = base < 80 && (rest === 1 || rest === 11)
    return `${tens}${isJoined ? ' et ' : '-'}${small(french.small, rest)}`
  }
  const [size, name] = value < 1000 ? [100, 'cent'] : [1000, 'mille']
  const count = Math.floor(value / size)
  const rest = value % size
  const plural = size === 100 && count > 1 && rest === 0 ? 's' : ''
  const head = `${count > 1 ? `${writeFrench(count)} ` : ''}${name}${plural}`
  return rest ? `${head} ${writeFrench(rest)}` : head
}

function writeSpanish(value: number): string {
  if (value < 30) return small(spanish.small, value)
  if (value < 100) {
    const rest = value % 10
    const tens = tensOf(spanish.tens, value, 3)
    return rest ? `${tens} y ${small(spanish.small, rest)}` : tens
  }
  if (value === 100) return 'cien'
  if (value < 1000) {
    const head = spanish.hundreds.split(' ')[Math.floor(value / 100) - 1]!
    return value % 100 ? `${head} ${writeSpanish(value % 100)}` : head
  }
  const count = Math.floor(value / 1000)
  const head = count > 1 ? `${writeSpanish(count)} mil` : 'mil'
  return value % 1000 ? `${head} ${writeSpanish(value % 1000)}` : head
}

const digits = '〇一二三四五六七八九'

/** @param zero what stands for tens or hundreds that are left out, as in Chinese. */
function writeChinese(value: number, isChinese: boolean): string {
  if (value < 10) return isChinese && value === 0 ? '零' : digits[value]!
  const units = ['', '十', '百', '千']
  let text = ''
  for (let place = 3; place >= 0; place -= 1) {
    const digit = Math.floor(value / 10 ** place) % 10
    const isOneImplied = digit === 1 && (isChinese ? place === 1 && value < 20 : place > 0)
    if (digit > 0) text += `${isOneImplied ? '' : digits[digit]!}${units[place]!}`
    else if (isChinese && text !== '' && value % 10 ** place > 0 && !text.endsWith('零'))
      text += '零'
  }
  return text
}

const writers: Readonly<Record<string, Writer>> = {
  en: (value) => [writeEnglish(value)],
  de: (value) => (value === 2 ? ['zwei', 'zwo'] : [writeGerman(value)]),
  fr: (value) => [writeFrench(value)],
  es: (value) => [writeSpanish(value)],
  ja: (value) => [writeChinese(value, false)],
  zh: (value) => (value === 2 ? ['二', '两'] : [writeChinese(value, true)]),
}

/** A whole number in words, in each usual form. Other languages and numbers from 10,000 have none. */
export function numberWords(value: number, language: string): string[] {
  return value < 10_000 ? (writers[language]?.(value) ?? []) : []
}

/**
 * The numbers from 0 to 99, by their words.
 * @param alsoWrittenAs other spellings of a number.
 */
export function numbersByWords(
  language: string,
  alsoWrittenAs: (words: string) => readonly string[] = () => [],
): Record<string, number> {
  const numbers: Record<string, number> = {}
  for (let value = 0; value < 100; value++) {
    for (const words of numberWords(value, language)) {
      for (const spelling of [words, ...alsoWrittenAs(words)]) numbers[spelling] = value
    }
  }
  return numbers
}
