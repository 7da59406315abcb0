import { audioEncodings } from '@parlando/core/wire'
import { busyModes, nodeNames, outputs, type Service } from '../flow/nodes.ts'
import type { Expected } from '../messages/flow-event.ts'
import type { Random } from './random.ts'

/** A message for a node. */
interface Input {
  node: string
  message: object
}

export const texts = [
  'Dinner is ready.',
  'The washing machine has finished, and the dryer needs a little longer.',
  'Somebody is at the front door. It may be the parcel that you ordered, so please have a look!',
  'Good morning. It rains, and it will rain until the evening. Take the bus, and do not forget the umbrella in the hall.',
]
/** Long enough for a job of the service. */
const longText = `${texts.join(' ')} `.repeat(14)
export const libraryVoices = ['Clara', 'Ralph', 'Angus', 'Kit', undefined]
const models = ['svc-tts-2', 'svc-tts-2-flash', undefined]
const paces = [0.8, 1, 1.3]
const topics = 10
const priorities = ['info', 'normal', 'urgent', 'alarm']

/** The requests of a busy household, each with its relative frequency. */
export const actions: Record<
  string,
  { weight: number; inputs(service: Service, random: Random): Input[] }
> = {
  'an announcement': {
    weight: 40,
    inputs: (service, random) => [announcement(service, random)],
  },
  'twelve announcements at once': {
    weight: 1,
    inputs: (service, random) => {
      const { node } = announcement(service, random)
      return Array.from({ length: 12 }, () => ({ ...announcement(service, random), node }))
    },
  },
  'an announcement on a speaker': {
    weight: 8,
    inputs: (service, random) => [
      {
        node: `${service}-${random.oneOf(['speaker', 'speaker', 'browser'])}-announce`,
        message: {
          payload: random.oneOf(texts),
          topic: `${random.below(topics)}`,
          priority: random.oneOf(priorities),
          voiceId: random.oneOf(libraryVoices),
          modelId: random.oneOf(models),
        },
      },
    ],
  },
  // The player takes as long as somebody who listens.
  'an announcement on MPD': {
    weight: 1.5,
    inputs: (service, random) => [
      {
        node: `${service}-mpd-announce`,
        message: {
          payload: random.oneOf(texts.slice(0, 2)),
          priority: random.oneOf(priorities),
          voiceId: random.oneOf(libraryVoices),
        },
      },
    ],
  },
  'a question on the page of a speaker': {
    weight: 4,
    inputs: (service, random) => [
      {
        node: `${service}-browser-${random.oneOf(['ask', 'ask', 'insist'])}`,
        message: { payload: 'Shall I remind you again?', priority: random.oneOf(priorities) },
      },
    ],
  },
  'a word in a conversation of a flow': {
    weight: 3,
    inputs: (service, random) => [
      {
        node: `${service}-phone-${random.oneOf(['speak', 'converse'])}`,
        message: { payload: random.oneOf(texts) },
      },
    ],
  },
  'a text to read aloud': {
    weight: 3,
    inputs: (service, random) => [
      {
        node: `${service}-speaker-read`,
        message: {
          payload: random.shuffle(texts).slice(0, 2).join(' '),
          topic: `${random.below(topics)}`,
          voiceId: random.oneOf(libraryVoices),
        },
      },
    ],
  },
  'a pause, a skip or a return to a text': {
    weight: 4,
    inputs: (service, random) => {
      const message = random.oneOf([
        { pause: true },
        { resume: true },
        { resume: true },
        { skip: 1 },
        { skip: -1 },
      ])
      return [{ node: `${service}-speaker-read`, message }]
    },
  },
  'a long text': {
    weight: 0.3,
    inputs: (service) => [longSpeech(service)],
  },
  'a reminder': {
    weight: 6,
    inputs: (service, random) => {
      const payload = random.oneOf([
        'in two seconds',
        'in three seconds the tea',
        'in five seconds the eggs',
        'how long is left?',
        'change the tea to four seconds',
        'cancel all',
      ])
      return [{ node: `${service}-remind-remind`, message: { payload } }]
    },
  },
  'a chat response spoken while it is generated': {
    weight: 8,
    inputs: (service, random) => [question(`${service}-ask-chat`, random)],
  },
  'a question in a conversation': {
    weight: 8,
    inputs: (service, random) => [question(`${service}-answer-chat`, random)],
  },
  'a conversation reset': {
    weight: 1,
    inputs: (service, random) => [
      { node: `${service}-answer-chat`, message: { topic: random.below(topics), reset: true } },
    ],
  },
  'a dictation': {
    weight: 3,
    inputs: (service, random) => [
      { node: `${service}-dictate-speak`, message: { payload: random.oneOf(texts) } },
    ],
  },
  'a voice cloned, used and deleted': {
    weight: 2,
    inputs: (service) => [{ node: `${service}-guest-file`, message: {} }],
  },
  'a voice cloned and kept': {
    weight: 1,
    inputs: (service) => [{ node: `${service}-kept-file`, message: {} }],
  },
  'all cloned voices deleted': {
    weight: 1,
    inputs: (service) => [{ node: `${service}-tidy-list`, message: {} }],
  },
  'the list of voices': {
    weight: 3,
    inputs: (service) => [{ node: `${service}-voices-list`, message: {} }],
  },
  'a stop': {
    weight: 8,
    inputs: (service, random) => [
      { node: `${service}-${random.oneOf(nodeNames)}`, message: { stop: true } },
    ],
  },
  'an announcement and an immediate stop': {
    weight: 3,
    inputs: (service, random) => {
      const input = announcement(service, random)
      return [input, { node: input.node, message: { stop: true } }]
    },
  },
  'a message that cannot be spoken': {
    weight: 3,
    inputs: (service, random) => {
      const { node, message } = announcement(service, random)
      const mistake = random.oneOf([
        { payload: '' },
        { payload: {} },
        { voiceId: 'Nobody' },
        { modelId: 'svc-tts-0' },
        { audioConfig: { audioEncoding: 'MULAW', sampleRateHertz: 24_000 } },
      ])
      return [{ node, message: { ...message, ...mistake } }]
    },
  },
}

function announcement(service: Service, random: Random): Input {
  const text = random.oneOf(texts)
  const pace = random.oneOf(paces)
  const audioEncoding = random.oneOf(audioEncodings)
  const sampleRateHertz = rateFor(audioEncoding, random.oneOf([16_000, 24_000]))
  const expected: Expected = { text, pace }
  return {
    node: `${service}-${random.oneOf(outputs)}-${random.oneOf(busyModes)}`,
    message: {
      payload: text,
      voiceId: random.oneOf(libraryVoices),
      modelId: random.oneOf(models),
      audioConfig: { audioEncoding, sampleRateHertz, speakingRate: pace },
      expected,
    },
  }
}

export function longSpeech(service: Service): Input {
  const message = { payload: longText, voiceId: 'Kit', modelId: 'svc-tts-2-flash' }
  return { node: `${service}-long-speak`, message }
}

export function rateFor(audioEncoding: string, rateHertz: number): number {
  return ['MULAW', 'ALAW'].includes(audioEncoding) ? 8000 : rateHertz
}

function question(node: string, random: Random): Input {
  const expected: Expected = { text: random.oneOf(texts) }
  return { node, message: { payload: expected.text, topic: random.below(topics), expected } }
}
