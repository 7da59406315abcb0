import type { Client } from '@parlando/core'
import { ApiError, ParlandoError } from '@parlando/core/errors'

/** The result of a connection test. */
export interface ServiceTest {
  outcome:
    | 'well'
    | 'cannot-list'
    | 'chat-only'
    | 'key-rejected'
    | 'not-reachable'
    | 'not-this-service'
    | 'failed'
  /** The time from the request to the first audio, if there was any. */
  firstAudioMs?: number
  /** The error sentence, or status and code instead of the page of another server; absent on success. */
  reason?: string
}

// The response that this voice does not exist shows that the key may speak.
const unknownVoiceId = 'parlando-connection-test'
// A service with language models says that it does not have this one, which costs nothing.
const unknownModel = 'parlando-connection-test'

const rejected = ['UNAUTHENTICATED', 'PERMISSION_DENIED']

const outcomes: Readonly<Record<string, ServiceTest['outcome']>> = {
  UNAUTHENTICATED: 'key-rejected',
  PERMISSION_DENIED: 'key-rejected',
  NOT_REACHABLE: 'not-reachable',
  CONNECTION_LOST: 'not-reachable',
  TIMEOUT: 'not-reachable',
  BAD_RESPONSE: 'not-this-service',
  RESPONSE_TOO_LARGE: 'not-this-service',
  NO_AUDIO: 'not-this-service',
  NOT_FOUND: 'not-this-service',
  UNIMPLEMENTED: 'not-this-service',
}

/**
 * Lists the voices and speaks one word, which costs four characters. A valid key may be allowed to speak but not to list
 * voices, so a rejected list does not prove that the key is wrong.
 */
export async function testService(
  client: Client,
  modelId: string,
  signal: AbortSignal,
): Promise<ServiceTest> {
  const listed = await attempt(() => client.listVoices({}, { signal }))
  if ('error' in listed && !rejected.includes(listed.error.code)) {
    const result = toOutcome(listed.error)
    const mayChat = result.outcome === 'not-this-service' && (await canChat(client, signal))
    return mayChat ? { outcome: 'chat-only' } : result
  }
  const voiceId = ('value' in listed && listed.value.voices[0]?.voiceId) || unknownVoiceId
  const spoken = await attempt(() => firstAudioMs(client, { voiceId, modelId }, signal))
  if ('error' in listed) {
    const maySpeak = 'value' in spoken || spoken.error.code === 'NOT_FOUND'
    return maySpeak
      ? { outcome: 'cannot-list', reason: reasonOf(listed.error) }
      : toOutcome(spoken.error)
  }
  return 'value' in spoken
    ? { outcome: 'well', firstAudioMs: spoken.value }
    : toOutcome(spoken.error)
}

async function canChat(client: Client, signal: AbortSignal): Promise<boolean> {
  const request = { model: unknownModel, messages: [{ role: 'user' as const, content: 'Hi' }] }
  const chatted = await attempt(() => client.chat({ ...request, max_tokens: 1 }, { signal }))
  return 'value' in chatted || /\bmodel\b/i.test(reasonOf(chatted.error))
}

async function firstAudioMs(
  client: Client,
  voice: { voiceId: string; modelId: string },
  signal: AbortSignal,
): Promise<number | undefined> {
  const stream = client.synthesizeStream({ text: 'Yes.', ...voice }, { signal })
  for await (const _chunk of stream) break
  return stream.firstAudioMs
}

async function attempt<Value>(
  call: () => Promise<Value>,
): Promise<{ value: Value } | { error: ParlandoError }> {
  try {
    return { value: await call() }
  } catch (error) {
    if (!ParlandoError.isInstance(error)) throw error
    return { error }
  }
}

function toOutcome(error: ParlandoError): ServiceTest {
  return { outcome: outcomes[error.code] ?? 'failed', reason: reasonOf(error) }
}

/** The address may be that of any server, and its pages are not for everyone who may use the form. */
function reasonOf(error: ParlandoError): string {
  const isPage = ApiError.isInstance(error) && error.quotesPage
  return isPage ? `${error.status} ${error.code}` : error.message
}
