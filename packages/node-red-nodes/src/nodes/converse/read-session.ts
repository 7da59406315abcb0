import type { RealtimeSession, RealtimeTool, RealtimeTurnDetection } from '@parlando/core'
import {
  type EndOfTurnSettings,
  readSilenceMs,
  understandsTurns,
} from '../../recognition/end-of-turn-settings.ts'
import { NodeInputError } from '../../runtime/failure.ts'
import { autoModel } from '../../runtime/service-defaults.ts'
import { isEmpty, readSettings } from '../../runtime/settings.ts'
import { sharedText, type Texts } from '../../runtime/texts.ts'
import type { WorkContext } from '../../runtime/work.ts'
import { type ConverseMessage, sessionRateHertz } from './conversation-messages.ts'
import { parseTools, toTools } from './parse-tools.ts'

/** Settings of the form. A hand-written flow may leave each out. */
export interface ConverseSettings extends EndOfTurnSettings {
  instructions?: string
  voice?: string
  /** The language model. */
  model?: string
  /** One per line, or JSON. */
  tools?: string
  language?: string
  mayInterrupt?: boolean
}

/** The service needs a number. */
const normalSilenceMs = 500

const settingTable = {
  instructions: { message: 'instructions', form: 'instructions' },
  voice: { message: 'voiceId', form: 'voice' },
  model: { message: 'chatModel', form: 'model', fallback: autoModel },
  language: { message: 'language', form: 'language' },
} as const

/** The format of the session in both directions: what every service of this protocol supports. */
const format = { type: 'audio/pcm', rate: sessionRateHertz } as const

/** The settings of a conversation. The message that begins it overrides the form. @throws {NodeInputError} */
export function readSession(
  RED: Texts,
  settings: ConverseSettings,
  message: ConverseMessage,
): RealtimeSession {
  const read = readSettings(message, settings, settingTable)
  const { instructions, voice, model, language } = read as Record<string, string | undefined>
  // The client checks the others. It also accepts an object as a voice, and would compare all fields of a long Buffer.
  if (voice !== undefined && typeof voice !== 'string') {
    throw new NodeInputError(RED._('converse.error.not-voice'))
  }
  return {
    ...(instructions !== undefined && { instructions }),
    ...(model !== undefined && { model }),
    output_modalities: ['audio'],
    audio: {
      input: {
        format,
        transcription: { ...(language !== undefined && { language }) },
        turn_detection: turnDetection(settings),
      },
      output: { format, ...(voice !== undefined && { voice }) },
    },
    tools: readTools(RED, settings, message),
  }
}

/**
 * Adds the default voice for the language of the user, as for a node that speaks. A service that does not list its voices chooses
 * one itself.
 */
export async function withVoice(
  session: RealtimeSession,
  { service, signal }: Pick<WorkContext<ConverseMessage>, 'service' | 'signal'>,
): Promise<RealtimeSession> {
  const { input, output } = session.audio ?? {}
  if (output?.voice !== undefined) return session
  const language = input?.transcription?.language
  const voice = await service
    .defaultVoiceId({ signal, language, maxRetries: 0 })
    .catch(() => undefined)
  signal.throwIfAborted()
  return voice === undefined
    ? session
    : { ...session, audio: { input, output: { ...output, voice } } }
}

/** The silence after which a turn ends at the latest. `undefined`: at the end of the recording. */
export function silenceMsOf(settings: ConverseSettings): number | undefined {
  const silenceMs = readSilenceMs(settings) ?? normalSilenceMs
  return Number.isFinite(silenceMs) ? silenceMs : undefined
}

function turnDetection(settings: ConverseSettings): RealtimeTurnDetection | null {
  const silenceMs = silenceMsOf(settings)
  if (silenceMs === undefined) return null
  const actions = {
    create_response: true,
    interrupt_response: settings.mayInterrupt !== false,
  }
  if (understandsTurns(settings)) return { type: 'semantic_vad', ...actions }
  return { type: 'server_vad', silence_duration_ms: silenceMs, ...actions }
}

function readTools(
  RED: Texts,
  settings: ConverseSettings,
  { tools: own }: ConverseMessage,
): RealtimeTool[] {
  const given = isEmpty(own) ? undefined : own
  if (given !== undefined && !Array.isArray(given)) {
    throw new NodeInputError(RED._('converse.error.not-tools'))
  }
  const { tools, problem } = given ? toTools(given) : parseTools(settings.tools ?? '')
  if (tools) return tools
  throw new NodeInputError(sharedText(RED, `tools.${problem.problem}`, { line: problem.line }))
}
