/** An event that espeak-ng reports with the samples. */
export interface EspeakEvent {
  type: string
  /** The character of the text, counted from 1. */
  text_position: number
  /** Milliseconds from the start of the phrase. */
  audio_position: number
  /** The name of a phoneme; empty for silence. */
  id?: string | number
}

type OnPcm = (pcm: Int16Array, events: readonly EspeakEvent[]) => boolean

/** The parts of the compiled espeak-ng in use. */
interface EspeakModule {
  HEAPU8: Uint8Array
  eSpeakNGWorker: new () => EspeakWorker
}

interface EspeakWorker {
  samplerate: number
  list_voices(): { name: string; identifier: string; languages: { name: string }[] }[]
  set_voice(name: string, language: string): number
  /** @param callback returns whether to stop. */
  synthesize(text: string, callback: OnPcm): void
}

export interface Espeak {
  sampleRateHertz: number
  voices: readonly { code: string; name: string }[]
  /** @param onPcm receives about 100 ms at a time and returns whether to continue. */
  speak(code: string, text: string, onPcm: OnPcm): void
}

const maxTextBytes = 8192
// Each is as large as the memory of espeak-ng, 16 MB. Loading a voice takes 1 ms, or 50 ms with a large dictionary.
const maxImages = 4

/**
 * Opens espeak-ng. Its memory is restored to the same state before every phrase. Otherwise its noise generator would
 * continue from the last phrase, and the same phrase would sound different each time.
 */
export async function openEspeak(
  createModule: (options: object) => Promise<EspeakModule>,
): Promise<Espeak> {
  const module = await createModule({ print() {}, printErr() {} })
  const worker = new module.eSpeakNGWorker()
  const voices = worker.list_voices().flatMap(({ name, languages: [language] }) => {
    return language ? [{ code: language.name, name: name.trim() }] : []
  })
  // espeak-ng never frees its input buffer, and enlarges it one call after it was too small. The buffer must have its full
  // size when the image is taken: a later buffer would be in memory that the restored espeak-ng considers free.
  for (let count = 0; count < 2; count++)
    worker.synthesize(' '.repeat(2 * maxTextBytes), () => true)
  const start = module.HEAPU8.slice()
  const images = new Map<string, Uint8Array>()

  const load = (code: string): void => {
    const known = images.get(code)
    module.HEAPU8.set(known ?? start)
    if (!known && worker.set_voice(code, code) !== 0) throw new Error(`no voice for ${code}`)
    const image = known ?? module.HEAPU8.slice()
    images.delete(code)
    images.set(code, image)
    if (images.size > maxImages) images.delete(images.keys().next().value!)
  }

  return {
    sampleRateHertz: worker.samplerate,
    voices,
    speak(code, text, onPcm) {
      if (Buffer.byteLength(text) > maxTextBytes) throw new Error('the phrase is too long')
      load(code)
      worker.synthesize(withoutMarkup(text), (pcm, events) => !onPcm(pcm, events))
    },
  }
}

/** espeak-ng reads `[[` as the start of phonemes and `<` as the start of a tag. Replacing them keeps all positions. */
function withoutMarkup(text: string): string {
  return text.replaceAll('[[', '[ ').replaceAll('<', ' ')
}
