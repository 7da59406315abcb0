/** What espeak-ng tells about the sound beside the samples. */
export interface EspeakEvent {
  type: string
  /** In characters of the text, from 1. */
  text_position: number
  /** In milliseconds from the start of the phrase. */
  audio_position: number
  /** Of a phoneme: how it is written; empty for silence. */
  id?: string | number
}

type OnPcm = (pcm: Int16Array, events: readonly EspeakEvent[]) => boolean

/** The parts of the compiled espeak-ng that are used. */
interface EspeakModule {
  HEAPU8: Uint8Array
  eSpeakNGWorker: new () => EspeakWorker
}

interface EspeakWorker {
  samplerate: number
  list_voices(): { name: string; identifier: string; languages: { name: string }[] }[]
  set_voice(name: string, language: string): number
  /** @param callback returns whether it is to stop. */
  synthesize(text: string, callback: OnPcm): void
}

export interface Espeak {
  sampleRateHertz: number
  voices: readonly { code: string; name: string }[]
  /** @param onPcm gets about 100 ms at a time and returns whether more is wanted. */
  speak(code: string, text: string, onPcm: OnPcm): void
}

const maxTextBytes = 8192
// Each takes as much memory as espeak-ng itself, 16 MB. Loading a voice takes 1 ms, but 50 ms where the dictionary is large.
const maxImages = 4

/**
 * Opens espeak-ng. Its memory is set to the same state before every phrase: otherwise its noise and the tremor of its
 * voice would go on from the phrase before, and nothing would sound the same twice.
 */
export async function openEspeak(
  createModule: (options: object) => Promise<EspeakModule>,
): Promise<Espeak> {
  const module = await createModule({ print() {}, printErr() {} })
  const worker = new module.eSpeakNGWorker()
  const voices = worker.list_voices().flatMap(({ name, languages: [language] }) => {
    return language ? [{ code: language.name, name: name.trim() }] : []
  })
  // The buffer through which texts go in is kept for good, and grows one call after it was too small. It must be large
  // enough when the image is taken: one that came later would lie in memory that espeak-ng thinks is free.
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

/** In double brackets espeak-ng would read phonemes, and after `<` a tag that it does not say. Positions stay as they are. */
function withoutMarkup(text: string): string {
  return text.replaceAll('[[', '[ ').replaceAll('<', ' ')
}
