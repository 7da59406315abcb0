const rooms = 'kitchen,living room,bedroom,hall,bathroom,garden,office,garage'.split(',')
const lights = ['light', 'lights']
const devices = [...lights, 'fan', 'heater']
const openings = ['blinds', 'curtains', 'window', 'door']
const percentages = 'ten twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const durations = 'one two three five ten fifteen twenty thirty'.split(' ')

/** The commands of a home, in groups. Many differ by one sound: "light" and "lights", "bedroom" and "bathroom". */
const groups: readonly (readonly string[])[] = [
  all(
    ['on', 'off'],
    rooms,
    devices,
    (state, room, device) => `turn ${state} the ${room} ${device}`,
  ),
  all(
    ['on', 'off'],
    rooms,
    devices,
    (state, room, device) => `turn the ${room} ${device} ${state}`,
  ),
  all(
    rooms,
    lights,
    percentages,
    (room, light, number) => `set the ${room} ${light} to ${number} percent`,
  ),
  all(
    ['open', 'close'],
    rooms,
    openings,
    (action, room, opening) => `${action} the ${room} ${opening}`,
  ),
  all(
    [''],
    durations,
    ['minutes', 'hours'],
    (_, number, unit) => `set a timer for ${number} ${unit}`,
  ),
  [
    'what time is it',
    'what is the weather today',
    'play some music',
    'stop the music',
    'next song',
    'good night',
    'good morning',
    'start the washing machine',
    'lock the front door',
    'call my mother',
  ],
]

/** The list of sentences that may be said. */
export const commands: readonly string[] = groups.flat()

/** Sentences of the same home that are not in the list. Many begin like a command. */
const others: readonly string[] =
  `sing me a song, turn on the dishwasher, open the garage gates please now,
I think we should leave, the weather was nice yesterday, how old are you, set the table for dinner, close your eyes,
stop talking to me, where is the remote control, turn around and walk away, the kitchen is very dirty,
my mother called this morning, play with the dog in the garden, what is the capital of France, lock him up,
good luck with the exam, next week we go to London, light rain is expected tonight, there is a fan of the club in the hall,
turn the page, turn off the tap, set sail for the island, he opened a window of opportunity, the bathroom needs a new mirror,
open a new document, close enough, call the police, what a beautiful song, start again from the beginning, start the car,
lock the back door, call my brother, play the guitar, what day is it, what is your name, good evening everyone,
good afternoon, next door neighbours are loud, stop, music is my life, a timer went off, thirty minutes later he came back,
the living room was empty, set the alarm for seven, turn up the volume, turn down the volume, turn on the television,
turn off the oven, open the fridge, close the application, dim the lights, is the door open, did you lock the door,
who turned off the heater, I will set the clock to ten, twenty percent of the people agreed, the office closes at five,
wash the machine, the front of the house, read me the news, order a pizza, send a message to John, remind me to buy milk,
add eggs to the shopping list, how far is the moon, thank you very much, yes please, no thanks, maybe tomorrow, hello there,
could you repeat that, the quick brown fox jumps over the lazy dog, she sells sea shells by the sea shore,
we are going on holiday, I lost my keys in the garden, it is getting dark outside, the train leaves at nine, please be quiet,
dinner is ready, I am hungry, let us watch a movie, who is at the door, the phone is ringing, feed the cat, water the plants,
empty the bin, charge the car, increase the temperature, make it warmer, make it brighter, cancel that, never mind, go away,
come here, one two three four, ten green bottles, fifty ways to leave, the minutes of the meeting, hours and hours of work`
    .split(',')
    .map((sentence) => sentence.trim())

/** @returns commands from all groups in turn, each another one, in an order that is always the same. */
export function chooseCommands(count: number): string[] {
  return choose(count, (index) => groups[index % groups.length]!, groups.length)
}

/** @returns sentences that are not in the list, in an order that is always the same. */
export function chooseOthers(count: number): string[] {
  return choose(count, () => others, 1)
}

/** Steps through each list so that neighbours in it do not follow one another; a short list starts again. */
function choose(
  count: number,
  listOf: (index: number) => readonly string[],
  lists: number,
): string[] {
  return Array.from({ length: count }, (_, index) => {
    const list = listOf(index)
    // Prime, so that it meets every sentence of a list.
    const step = 37
    return list[(Math.floor(index / lists) * step) % list.length]!
  })
}

function all(
  first: readonly string[],
  second: readonly string[],
  third: readonly string[],
  write: (first: string, second: string, third: string) => string,
): string[] {
  return first.flatMap((one) =>
    second.flatMap((two) => third.map((three) => write(one, two, three))),
  )
}
