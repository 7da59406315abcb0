const seed = 1
const minWords = 3
const maxWords = 32

// In all lists, a name replaces @ and a number replaces #.
const names = ['Anna', 'Ben', 'Maria', 'Christopher', 'Mrs. Whitfield', 'Doctor Brown', 'everyone']

const openings = [
  'Good morning, @,',
  'Good evening, @,',
  'Hello, @,',
  '@, please listen:',
  'Welcome home, @,',
  'Attention, please:',
  'A quick reminder:',
  'Unfortunately,',
  'Excuse me, @, but',
  'By the way,',
  'Security notice:',
  'In case you missed it,',
  'While you were away, I noticed something:',
]

const events = [
  'dinner is ready',
  'the washing machine has finished',
  'the dryer needs another # minutes',
  'somebody is at the front door',
  'the garage door has been open for # minutes',
  'it is # degrees in the living room',
  'battery power of the smoke alarm is down to # percent',
  'parcel number #4071# was delivered',
  'our robot vacuum is stuck under the sofa',
  'coffee is served',
  'solar panels made # kilowatt hours today',
  'motion was detected at the back gate',
  'your car is charged to # percent',
  'video call with @ in # minutes',
  'heating was turned down to # degrees',
  'all # lights are off',
  'water is running in the bathroom',
  '# windows are still open',
  'dishwasher error # was reported',
  'alarm system armed',
  'rain is expected within # minutes',
  'temperature and humidity in the greenhouse are back to normal',
]

const circumstances = [
  'since half past seven',
  'in the kitchen and in the hall',
  'according to the sensor next to the stairs',
  'for the second time this week',
  'although nobody has touched anything',
  'because of the guests',
  'while the energy price is # cents',
  'just as the timer said',
  'at the house of @',
  'on the 3rd of May',
]

const requests = [
  'so please have a look',
  'so please check it before you leave, and take an umbrella with you',
  'and the next bus leaves in # minutes',
  'and nothing else needs to be done',
  'but I can wait until the guests have gone',
  'so I have switched on the lamp by the door and sent you a picture',
  'and somebody should call number # before noon',
  'which is more than yesterday',
  'but the forecast says that it will be warmer, drier and less windy tomorrow',
]

/** Things a house would say: short and long, all different, and the same every time. */
export function createSentences(count) {
  const random = createRandom(seed)
  const sentences = new Set()
  while (sentences.size < count) {
    const sentence = createSentence(random)
    const words = sentence.split(' ').length
    if (words >= minWords && words <= maxWords) sentences.add(sentence)
  }
  return [...sentences]
}

function createSentence(random) {
  const pick = (list) => list[Math.floor(random() * list.length)]
  const perhaps = (start, list) => (random() < 0.2 ? `${start}${pick(list)}` : '')
  const opening = perhaps('', openings)
  const event = `${pick(events)}${perhaps(' ', circumstances)}${perhaps(', ', requests)}`
  const sentence = `${opening} ${event}.`
    .trim()
    .replaceAll('@', () => pick(names))
    .replaceAll('#', () => Math.ceil(random() * 99))
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

/** Mulberry32: numbers from 0 up to 1, the same for the same seed. */
function createRandom(seed) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
