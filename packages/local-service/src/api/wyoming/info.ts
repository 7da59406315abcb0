import packageJson from '../../../package.json' with { type: 'json' }
import type { AppContext } from '../app/endpoint.ts'

const artifact = {
  attribution: { name: 'Parlando', url: '' },
  installed: true,
  version: packageJson.version,
}
const name = 'parlando'

/**
 * Home Assistant offers a voice or a model only for the languages that it lists. For those with many languages, these
 * are the ones that Whisper recognises best, according to its authors.
 */
const manyLanguages =
  'af ar az be bg bs ca cs cy da de el en es et fa fi fr gl he hi hr hu hy id is it ja kk kn ko lt lv mi mk mr ms ne nl no pl pt ro ru sk sl sr sv sw ta th tl tr uk ur vi zh'.split(
    ' ',
  )

/** The data of the event `info`: every voice and every recogniser of the service. */
export function describeToWyoming({
  voiceList,
  recognisers,
}: Pick<AppContext, 'voiceList' | 'recognisers'>): Record<string, unknown> {
  const voices = voiceList.list().map(({ voiceId, displayName, langCode }) => ({
    ...artifact,
    name: voiceId,
    description: displayName || voiceId,
    languages: toLanguages(langCode),
    speakers: null,
  }))
  const models = [...recognisers.values()].flatMap((recogniser) =>
    recogniser.models.map(({ modelId, displayName, langCodes }) => ({
      ...artifact,
      name: modelId,
      description: displayName,
      languages: langCodes.length > 0 ? langCodes.flatMap(toLanguages) : manyLanguages,
    })),
  )
  const speaking = {
    ...artifact,
    name,
    description: 'Speech by Parlando',
    voices,
    supports_synthesize_streaming: true,
  }
  const listening = { ...artifact, name, description: 'Transcription by Parlando', models }
  const others = { wake: [], handle: [], intent: [], mic: [], snd: [] }
  return { tts: [speaking], asr: models.length > 0 ? [listening] : [], ...others }
}

/** `EN_US` becomes `en-US`. */
function toLanguages(langCode: string | null | undefined): string[] {
  if (!langCode || langCode === 'AUTO') return manyLanguages
  try {
    return [new Intl.Locale(langCode.replaceAll('_', '-')).toString()]
  } catch {
    return manyLanguages
  }
}
