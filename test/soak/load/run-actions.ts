import { audioEncodings } from '@parlando/core/wire'
import { type Service, services } from '../flow/nodes.ts'
import { count } from '../messages/message-stats.ts'
import type { System } from '../programs/system.ts'
import { actions, libraryVoices, longSpeech, rateFor, texts } from './actions.ts'
import { converse } from './conversation.ts'
import type { Random } from './random.ts'
import { waitForWakeWord } from './wake-words.ts'

const pageLimitMs = 10_000

/**
 * Uses every encoding, every voice, a clone, a recogniser and a conversation once: the first use allocates memory that stays
 * allocated, and opens connections and starts processes that remain for the next use.
 */
export function warmUp(system: System): Promise<unknown> {
  const inputs = services.flatMap((service) => [
    { node: `${service}-speaker-announce`, message: { payload: texts[0] } },
    { node: `${service}-mpd-announce`, message: { payload: texts[0] } },
    { node: `${service}-browser-announce`, message: { payload: texts[0] } },
    { node: `${service}-browser-ask`, message: { payload: 'Is it raining?' } },
    { node: `${service}-browser-insist`, message: { payload: 'Is it raining?' } },
    { node: `${service}-phone-speak`, message: { payload: texts[0] } },
    { node: `${service}-guest-file`, message: {} },
    { node: `${service}-kept-file`, message: {} },
    { node: `${service}-ask-chat`, message: { payload: texts[0], expected: { text: texts[0] } } },
    { node: `${service}-dictate-speak`, message: { payload: texts[0] } },
    { node: `${service}-speaker-read`, message: { payload: texts[2] } },
    { node: `${service}-remind-remind`, message: { payload: 'in one second' } },
    longSpeech(service),
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
  return Promise.all([
    ...inputs.map(({ node, message }) => system.channel.receive(node, message)),
    converse(system.steadyUrl, {}),
    waitForWakeWord(system.steadyUrl, {}),
  ])
}

/** Ends the texts that are paused, and the questions that nobody answers. */
export function stopTalking(system: System): Promise<unknown> {
  const nodes = services.flatMap((service) => [
    `${service}-speaker-read`,
    `${service}-browser-insist`,
  ])
  return Promise.all(nodes.map((node) => system.channel.receive(node, { stop: true })))
}

/** Deletes all cloned voices. */
export function deleteClonedVoices(system: System): Promise<unknown> {
  return Promise.all(
    services.map((service) => system.channel.receive(`${service}-tidy-list`, { payload: '' })),
  )
}

/** How often something happened, by name. */
export type Counts = Record<string, number>

/**
 * Runs a random action. One in ten opens a page, and some of these pages close before the speech ends. A few talk with a
 * service that no fault restarts.
 */
export async function runRandomAction(
  system: System,
  random: Random,
  counts: Counts,
): Promise<void> {
  const service = random.oneOf(services)
  const share = random.next()
  if (share < 0.1) return openPage(system, service, random, counts)
  if (share < 0.14) return converse(system.steadyUrl, counts)
  if (share < 0.16) return waitForWakeWord(system.steadyUrl, counts)
  const name = chooseAction(random)
  count(counts, name)
  for (const { node, message } of actions[name]!.inputs(service, random)) {
    const isThere = await system.channel.receive(node, message)
    if (!isThere) count(counts, 'messages for nodes that a deploy was replacing')
  }
}

function chooseAction(random: Random): string {
  const total = Object.values(actions).reduce((sum, { weight }) => sum + weight, 0)
  let at = random.next() * total
  for (const [name, { weight }] of Object.entries(actions)) {
    at -= weight
    if (at < 0) return name
  }
  return 'an announcement'
}

async function openPage(
  system: System,
  service: Service,
  random: Random,
  counts: Counts,
): Promise<void> {
  const isLeft = random.next() < 0.4
  const limitMs = isLeft ? random.waitMs(100) : pageLimitMs
  const url = `${system.nodeRedUrl}/${service}?text=${encodeURIComponent(random.oneOf(texts))}`
  try {
    const signal = AbortSignal.timeout(limitMs)
    const response = await fetch(url, { signal, headers: { connection: 'close' } })
    const { byteLength } = await response.arrayBuffer()
    const isSpoken = response.ok && byteLength > 0
    count(counts, isSpoken ? 'pages with speech' : 'pages with an error')
  } catch {
    // During a deploy, Node-RED drops the responses of `http response` nodes.
    count(counts, isLeft ? 'pages closed early' : 'pages without a response because of a deploy')
  }
}
