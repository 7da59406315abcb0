/** The recogniser model of the hosted service. Here, it names the first model for the language. */
export const defaultRecogniserModelId = 'svc/svc-stt-1'

// Clients of the OpenAI API send these names unless they are configured otherwise.

/** The models of the OpenAI API, and those of this service that stand for them. */
const openAiModels = {
  'tts-1': 'svc-tts-2-flash',
  'tts-1-hd': 'svc-tts-2',
  'gpt-4o-mini-tts': 'svc-tts-2',
  'whisper-1': defaultRecogniserModelId,
  'gpt-4o-transcribe': defaultRecogniserModelId,
  'gpt-4o-mini-transcribe': defaultRecogniserModelId,
  'gpt-transcribe': defaultRecogniserModelId,
  'gpt-live-transcribe': defaultRecogniserModelId,
  'gpt-realtime-whisper': defaultRecogniserModelId,
}

const voices = 'alloy ash ballad cedar coral echo fable marin nova onyx sage shimmer verse'.split(
  ' ',
)

/** Whether the default voice of this service speaks instead. */
export function isOpenAiVoice(name: string): boolean {
  return voices.includes(name)
}

/** Whether the default language model of this service responds instead. */
export function isOpenAiRealtimeModel(name: string): boolean {
  return /^gpt-.*(?:realtime|audio)/.test(name)
}

/** Whether a client that transcribes with this model ends the turns itself, unless it asks for turn detection. */
export function endsTurnsItself(transcriptionModel: string | undefined): boolean {
  return /^gpt-(?:realtime-whisper|live-transcribe)/.test(transcriptionModel ?? '')
}

/**
 * Reads the names by which callers know models.
 * @param aliases such as `fast=svc-tts-2-flash`. They override the names of the OpenAI API.
 * @param options strict: without the names of the OpenAI API, which the hosted service rejects.
 */
export function readModelAliases(
  aliases: readonly string[],
  { strict }: { strict: boolean },
): ReadonlyMap<string, string> {
  const given = aliases.map((alias) => alias.split('=', 2) as [string, string])
  return new Map([...(strict ? [] : Object.entries(openAiModels)), ...given])
}
