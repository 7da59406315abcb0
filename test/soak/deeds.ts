import { audioEncodings } from '@parlando/core/wire'
import { count } from './account.ts'
import { busyModes, nodeNames, outputs, type Service, services } from './flow.ts'
import type { Asked } from './flow-event.ts'
import type { House } from './house.ts'
import type { Random } from './random.ts'

/** A message for a node. */
interface Order {
  node: string
  message: object
}

const texts = [
  'Dinner is ready.',
  'The washing machine has finished, and the dryer needs a little longer.',
  'Somebody is at the front door. It may be the parcel that you ordered, so please have a look!',
  'Good morning. It rains, and it will rain until the evening. Take the bus, and do not forget the umbrella in the hall.',
]
const libraryVoices = ['Clara', 'Ralph', 'Angus', 'Kit', undefined]
const models = ['svc-tts-2', 'svc-tts-2-flash', undefined]
const paces = [0.8, 1, 1.3]
const topics = 10
const pageLimitMs = 10_000

/** The requests of the load, with their relative frequency. */
const deeds: Record<string, { weight: number; orders(service: Service, random: Random): Order[] }> =
  {
    'an announcement': {
      weight: 40,
      orders: (service, random) => [announcement(service, random)],
    },
    'announcements all at once': {
      weight: 1,
      orders: (service, random) => {
        const { node } = announcement(service, random)
        return Array.from({ length: 12 }, () => ({ ...announcement(service, random), node }))
      },
    },
    'an answer that is spoken while it is written': {
      weight: 8,
      orders: (service, random) => [question(`${service}-ask-chat`, random)],
    },
    'a question in a conversation': {
      weight: 8,
      orders: (service, random) => [question(`${service}-answer-chat`, random)],
    },
    'a conversation forgotten': {
      weight: 1,
      orders: (service, random) => [
        { node: `${service}-answer-chat`, message: { topic: random.below(topics), reset: true } },
      ],
    },
    'a voice cloned, heard and deleted': {
      weight: 2,
      orders: (service) => [{ node: `${service}-guest-file`, message: {} }],
    },
    'a voice cloned and kept': {
      weight: 1,
      orders: (service) => [{ node: `${service}-kept-file`, message: {} }],
    },
    'cloned voices cleared away': {
      weight: 1,
      orders: (service) => [{ node: `${service}-tidy-list`, message: {} }],
    },
    'the list of voices': {
      weight: 3,
      orders: (service) => [{ node: `${service}-voices-list`, message: {} }],
    },
    'a stop': {
      weight: 8,
      orders: (service, random) => [
        { node: `${service}-${random.oneOf(nodeNames)}`, message: { stop: true } },
      ],
    },
    'an announcement, and a stop at once': {
      weight: 3,
      orders: (service, random) => {
        const order = announcement(service, random)
        return [order, { node: order.node, message: { stop: true } }]
      },
    },
    'a message that cannot be spoken': {
      weight: 3,
      orders: (service, random) => {
        const { node, message } = announcement(service, random)
        const mistake = random.oneOf([
          { payload: '' },
          { payload: 7 },
          { voiceId: 'Nobody' },
          { modelId: 'svc-tts-0' },
          { audioConfig: { audioEncoding: 'MULAW', sampleRateHertz: 24_000 } },
        ])
        return [{ node, message: { ...message, ...mistake } }]
      },
    },
  }

/** Warm-up: one of each encoding, and a clone, because first uses allocate memory permanently. */
export function warmUp(house: House): Promise<unknown> {
  const orders = services.flatMap((service) => [
    { node: `${service}-guest-file`, message: {} },
    { node: `${service}-kept-file`, message: {} },
    ...audioEncodings.flatMap((audioEncoding) =>
      libraryVoices.map((voiceId) => ({
        node: `${service}-whole-wait`,
        message: {
          payload: texts[1],
          voiceId,
          audioConfig: { audioEncoding, sampleRateHertz: rateFor(audioEncoding, 16_000) },
        },
      })),
    ),
  ])
  return Promise.all(orders.map(({ node, message }) => house.channel.receive(node, message)))
}

/** Deletes all cloned voices. */
export function clearAway(house: House): Promise<unknown> {
  return Promise.all(
    services.map((service) => house.channel.receive(`${service}-tidy-list`, { payload: '' })),
  )
}

/** Counts of the requests by name. */
export type Counts = Record<string, number>

/** Sends a random request. Some of the pages close before they have spoken. */
export async function doSomething(house: House, random: Random, counts: Counts): Promise<void> {
  const service = random.oneOf(services)
  if (random.next() < 0.1) return openPage(house, service, random, counts)
  const name = chooseDeed(random)
  count(counts, name)
  for (const { node, message } of deeds[name]!.orders(service, random)) {
    const isThere = await house.channel.receive(node, message)
    if (!isThere) count(counts, 'messages for nodes that a deploy had taken away for a moment')
  }
}

function chooseDeed(random: Random): string {
  const total = Object.values(deeds).reduce((sum, { weight }) => sum + weight, 0)
  let at = random.next() * total
  for (const [name, { weight }] of Object.entries(deeds)) {
    at -= weight
    if (at < 0) return name
  }
  return 'an announcement'
}

function announcement(service: Service, random: Random): Order {
  const text = random.oneOf(texts)
  const pace = random.oneOf(paces)
  const audioEncoding = random.oneOf(audioEncodings)
  const sampleRateHertz = rateFor(audioEncoding, random.oneOf([16_000, 24_000]))
  const asked: Asked = { text, pace }
  return {
    node: `${service}-${random.oneOf(outputs)}-${random.oneOf(busyModes)}`,
    message: {
      payload: text,
      voiceId: random.oneOf(libraryVoices),
      modelId: random.oneOf(models),
      audioConfig: { audioEncoding, sampleRateHertz, speakingRate: pace },
      asked,
    },
  }
}

function rateFor(audioEncoding: string, rateHertz: number): number {
  return ['MULAW', 'ALAW'].includes(audioEncoding) ? 8000 : rateHertz
}

function question(node: string, random: Random): Order {
  const asked: Asked = { text: random.oneOf(texts) }
  return { node, message: { payload: asked.text, topic: random.below(topics), asked } }
}

async function openPage(
  house: House,
  service: Service,
  random: Random,
  counts: Counts,
): Promise<void> {
  const isLeft = random.next() < 0.4
  const limitMs = isLeft ? random.waitMs(100) : pageLimitMs
  const url = `${house.nodeRedUrl}/${service}?text=${encodeURIComponent(random.oneOf(texts))}`
  try {
    const signal = AbortSignal.timeout(limitMs)
    const answer = await fetch(url, { signal, headers: { connection: 'close' } })
    const { byteLength } = await answer.arrayBuffer()
    const isSpoken = answer.ok && byteLength > 0
    count(counts, isSpoken ? 'pages that spoke' : 'pages that said what went wrong')
  } catch {
    // A deploy leaves a page without a response, as it does with every pending *http response*.
    count(counts, isLeft ? 'pages that were left' : 'pages that a deploy left without an answer')
  }
}
