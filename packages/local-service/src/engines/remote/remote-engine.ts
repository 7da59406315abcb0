import { hasSpeakable } from '@parlando/core/text'
import type { Voice } from '@parlando/core/wire'
import { z } from 'zod'
import type { DecodedPiece } from '../../audio/decoding/decode-pieces.ts'
import { createResampler, type Resampler } from '../../audio/resampler.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { type ServerName, toEngineError } from '../../remote/server-failure.ts'
import { type Engine, type PhraseRequest, silentTextReason } from '../engine.ts'
import { spellOutForEnglishVoices } from '../english-text.ts'
import { maxConcurrentRequests, maxSecondsOf, remoteRateHertz, timeLimitMsOf } from './limits.ts'
import { createRemoteVoices } from './remote-voices.ts'
import { removeMarkdown } from './remove-markdown.ts'

/** A server that turns text into speech. */
export interface SpeechServer<Selection> {
  /** @throws {ServiceError | SyntaxError | ZodError} if the server has no valid list. Any other error means that it cannot be
   * reached. */
  listVoices(signal: AbortSignal): Promise<readonly RemoteVoice<Selection>[]>
  /**
   * Speaks a text, with the audio as it arrives.
   * @throws {ServiceError} if the server responds with an error or sends no valid audio. Any other error means that it
   * cannot be reached.
   */
  speak(selection: Selection, text: string, signal: AbortSignal): AsyncIterable<DecodedPiece>
}

/** A voice of a server. */
export interface RemoteVoice<Selection> {
  /** Unique among the voices of the server. */
  name: string
  displayName?: string
  /** A code such as `EN_US`; `AUTO` if unknown. */
  langCode: string
  gender?: string
  /** What the server needs to select the voice. */
  selection: Selection
}

export interface RemoteEngineOptions<Selection> {
  /** The name of the engine. */
  name: string
  /** The address of the server. */
  address: string
  server: SpeechServer<Selection>
  serverName: ServerName
  /** Default: 60,000 plus the maximum duration of the audio. */
  timeLimitMs?: number
  /** Whether its English voices get the text spelled out. Default: they get it as written. */
  spellsOutEnglish?: boolean
  warn(message: string): void
}

// Sentences: the first sound needs only the first one, and the others are requested while it plays.
const phraseLimits = { firstCharacters: 150, laterCharacters: 400 }

/**
 * The voices of a server next to our own. While the server cannot be used, its voices reject their requests at once; they
 * speak again as soon as it responds.
 */
export async function createRemoteEngine<Selection>(
  options: RemoteEngineOptions<Selection>,
): Promise<Engine> {
  const { name, server, serverName, warn } = options
  const { subject } = serverName
  const closing = new AbortController()
  const voices = createRemoteVoices({
    subject,
    warn,
    async read(signal) {
      try {
        const listed = await server.listVoices(signal)
        return listed.map((voice) => toEngineVoice(voice, options))
      } catch (error) {
        throw toEngineError(isMalformed(error) ? malformedList(serverName) : error, serverName)
      }
    },
  })
  await voices.refresh()

  return {
    name,
    sampleRateHertz: remoteRateHertz,
    get voices() {
      return voices.list()
    },
    get problem() {
      return voices.problem
    },
    slots: maxConcurrentRequests,
    phraseLimits,
    timesWords: false,
    unsupportedReason: silentTextReason,
    ...(options.spellsOutEnglish &&
      spellOutForEnglishVoices((name) => voices.list().find((one) => one.name === name)?.langCode)),
    async speakPhrase(request) {
      const { signal, text } = request
      voices.throwIfDown()
      const timeLimitMs = options.timeLimitMs ?? timeLimitMsOf(text)
      const limit = AbortSignal.timeout(timeLimitMs)
      try {
        const ending = AbortSignal.any([signal, closing.signal, limit])
        await speak(request, { voices: voices.list(), ...options }, ending)
      } catch (error) {
        signal.throwIfAborted()
        // Later requests need not find out again that the server does not respond.
        if (!(error instanceof ServiceError) || error.code === 'UNAVAILABLE') void voices.refresh()
        throw toEngineError(error, serverName, limit.aborted ? timeLimitMs : undefined)
      }
    },
    async close() {
      closing.abort(new Error('the service is stopping'))
      voices.close()
    },
  }
}

/** Speaks a phrase without Markdown. @throws what `SpeechServer.speak` throws, and if it sends too much audio or none. */
async function speak<Selection>(
  { voice: voiceName, text: written, onSound }: PhraseRequest,
  { voices, server, serverName: { subject } }: SpeakingServer<Selection>,
  signal: AbortSignal,
): Promise<void> {
  const text = removeMarkdown(written)
  if (!hasSpeakable(text)) return
  const voice = voices.find((known) => known.name === voiceName)
  if (!voice) throw new ServiceError('NOT_FOUND', `${subject} has no voice ${voiceName} any more`)
  const output = createOutput(onSound, { maxSeconds: maxSecondsOf(text), subject })
  try {
    for await (const piece of server.speak(voice.selection, text, signal)) {
      await output.push(piece)
    }
    output.end()
  } catch (error) {
    if (error instanceof ServiceError || signal.aborted || !output.hasSound) throw error
    const message = `${subject} closed the connection in the middle of the speech`
    throw new ServiceError('UNAVAILABLE', message)
  } finally {
    output.close()
  }
}

interface SpeakingServer<Selection>
  extends Pick<RemoteEngineOptions<Selection>, 'server' | 'serverName'> {
  voices: readonly { name: string; selection: Selection }[]
}

function isMalformed(error: unknown): boolean {
  return error instanceof SyntaxError || error instanceof z.ZodError
}

function malformedList({ subject, option }: ServerName): ServiceError {
  const message = `${subject} sent something else than a list of voices. Check ${option}`
  return new ServiceError('INTERNAL', message, 502)
}

function toEngineVoice<Selection>(
  { name, displayName = name, langCode, gender, selection }: RemoteVoice<Selection>,
  { name: engine, address }: RemoteEngineOptions<Selection>,
) {
  const voiceId = `${engine}-${name.replace(/[^\p{L}\p{N}_.]+/gu, '-')}`
  const voice: Voice = {
    voiceId,
    langCode,
    displayName: `${displayName} (${new URL(address).host})`,
    description: `The voice ${name} of ${address}`,
    source: 'SYSTEM',
    categories: ['network'],
    tags: [engine],
    ...(gender && { gender }),
  }
  return { name: voiceId, langCode, voice, selection }
}

/** Brings the audio of a server to the rate of the engine. */
function createOutput(
  onSound: PhraseRequest['onSound'],
  { maxSeconds, subject }: { maxSeconds: number; subject: string },
) {
  let resampler: Resampler | undefined
  let inputRateHertz = 0
  let seconds = 0
  const finish = () => {
    if (resampler) onSound({ samples: resampler.end() })
    resampler?.close()
    resampler = undefined
  }
  const fail = (problem: string) => new ServiceError('INTERNAL', `${subject} ${problem}`, 502)
  return {
    get hasSound() {
      return seconds > 0
    },
    async push({ samples, sampleRateHertz: rateHertz }: DecodedPiece) {
      seconds += samples.length / rateHertz
      // The audio is queued in memory for its listener, so it needs a limit.
      if (seconds > maxSeconds) throw fail(`sent more than ${maxSeconds} s of audio for a phrase`)
      if (rateHertz !== inputRateHertz) {
        finish()
        inputRateHertz = rateHertz
      }
      resampler ??= await createResampler({ inputRateHertz, outputRateHertz: remoteRateHertz })
      onSound({ samples: resampler.push(samples) })
    },
    end() {
      if (seconds === 0) throw fail('sent no audio')
      finish()
    },
    close: () => resampler?.close(),
  }
}
