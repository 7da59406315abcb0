/** One way to say a word: what the words before it match, and what those after it match, in small letters. */
export type Reading = readonly [sounds: string, before?: RegExp | undefined, after?: RegExp]

/** @param words parts of regular expressions, with `_` for a space. */
const oneOf = (words: string) => `(?:${words.trim().split(/\s+/).join('|').replaceAll('_', ' ')})`
const before = (words: string) => new RegExp(`(?:^| )${oneOf(words)}$`)
const after = (words: string) => new RegExp(`^${oneOf(words)}(?![a-z])`)
const endOr = (words: string) => new RegExp(`^(?:$|[.,;:!?]|${oneOf(words)}(?![a-z]))`)

const start = /^$|[.!?:;]$/
const plural = '(?!this|its|his|is|was|has|as|does|always|less)[a-z]+s'
const verbWords = `please and then to not n't never can could will would shall should must may might do i we you they who`
/** A verb follows, if an object comes after it: an order, or a subject. */
const subject = new RegExp(`^$|[.!?:;,]$|(?:^| )${oneOf(`${verbWords} ${plural}`)}$`)
const object = after(`
  the an? this that these those my your his her its our their it me us him them you all every each some everything anything
  something two three four five up down off along
`)
const adverb = `(?: ${oneOf("not n't now too so very quite already just never ever all tightly")})?`
const be = "am is are was were be been being 'm 's 're"
const someone = '(?:you|he|she|it|we|they|everyone|nobody|(?:the|my|your|our) [a-z]+)'
const afterBe = new RegExp(
  `(?:^| )(?:${oneOf(`${be} look looks seem seems feel feels felt`)}${adverb}|(?:is|are|was|were) ${someone})$`,
)
const afterHelper = new RegExp(
  `(?:^| )(?:${oneOf(`${be} has have had having 've gets? got`)}${adverb}|(?:has|have|had) ${someone}${adverb})$`,
)

/**
 * Readings that neither the part of speech nor the lists find: the tagger takes many orders for nouns, and some words sound
 * in two ways as the same part of speech. The first reading that fits is spoken.
 */
export const homographs: Readonly<Record<string, readonly Reading[]>> = {
  bass: [
    ['bˈæs', before('sea striped grilled fried baked fresh (?:catch|caught|cook)(?:_a)?')],
    ['bˈæs', undefined, after('fillets? fishing boats? pond')],
    ['bˈAs'],
  ],
  bow: [
    ['bˈW', before('(?:takes?|took|makes?|made)_(?:a|another|their|his|her)')],
    ['bˈW', undefined, after('to before down out of_the_(?:ship|boat)')],
  ],
  close: [
    ['klˈOz', subject, object],
    ['klˈOz', before(plural), endOr('at in on when if automatically soon slowly')],
  ],
  console: [
    [
      'kənsˈOl',
      subject,
      after(
        'her him me us them you each (?:the|my|your|his|our)_(?:baby|child|children|kids|losers?)',
      ),
    ],
  ],
  content: [['kəntˈɛnt', afterBe, endOr('with to and as just in')]],
  does: [['dˈOz', before('two three four five several the young'), after("(?!not|n't)[a-z]+")]],
  invalid: [
    [
      'ˈɪnvəlɪd',
      before('an? the this elderly old'),
      endOr('needs who has was is can in at and with gets lives sleeps'),
    ],
    ['ɪnvˈælɪd'],
  ],
  lead: [
    [
      'lˈɛd',
      undefined,
      after(`
        pipes? piping paints? batter(?:y|ies) acid solder flashing crystal glass poisoning weights? sheets? roof -_free
      `),
    ],
    [
      'lˈɛd',
      before('contains? contained containing of from found detected for without pencil much no'),
      endOr('in and or from is was broke'),
    ],
  ],
  live: [
    ['lˈIv', afterBe, endOr('now tonight today on from at again')],
    ['lˈIv', before('go goes going went')],
  ],
  minute: [
    [
      'mInˈut',
      undefined,
      after('amounts? quantit(?:y|ies) cracks? particles? details? traces? leaks? holes?'),
    ],
  ],
  number: [
    [
      'nˈʌməɹ',
      before('feels? felt grows? grew gets? got getting goes went even becomes? became'),
      endOr('than and every'),
    ],
  ],
  object: [['əbʤˈɛkt', subject, endOr('to if that when strongly')]],
  polish: [['pˈɑlɪʃ', subject, object]],
  read: [
    ['ɹˈɛd', afterHelper],
    ['ɹˈid', /^$|[.!?:;,]$|(?:^| )please$/, object],
  ],
  record: [
    ['ɹəkˈɔɹd', subject, object],
    ['ɹəkˈɔɹd', start, after('and')],
  ],
  row: [
    ['ɹˈW', before('(?:have|has|had|having)_an?(?:_[a-z]+)?'), endOr('about over between with')],
    ['ɹˈW', undefined, after('about over between')],
  ],
  separate: [['sˈɛpəɹˌAt', subject, after('(?!rooms?|bins?|beds?|ways|entrances?)[a-z]+')]],
  sewer: [
    ['sˈOəɹ', before('good better best skilled talented keen')],
    [
      'sˈOəɹ',
      undefined,
      after('mends sews stitches of_(?:quilts|clothes|dresses|shirts|curtains)'),
    ],
  ],
  tear: [
    ['tˈɛɹ', before('wear_and muscle')],
    ['tˈɛɹ', before('an? the this that big small'), after('in at along')],
    ['tˈɛɹ', subject, object],
  ],
  wound: [
    ['wˈWnd', afterHelper],
    ['wˈWnd', undefined, after('around up down onto tightly through along')],
  ],
}
