import { readFileSync } from 'node:fs'
import { join } from 'node:path'
// @ts-expect-error: the package has no types; the parts in use are declared below.
import createPico from '@echogarden/svoxpico-wasm'

export const sampleRateHertz = 16_000

/** The functions of SVOX Pico in WebAssembly that are used. Addresses refer to its own memory. */
interface PicoModule {
  FS: { writeFile(path: string, content: Uint8Array): void; unlink(path: string): void }
  HEAPU8: Uint8Array
  HEAP16: Int16Array
  HEAP32: Int32Array
  _malloc(bytes: number): number
  _pico_initialize(memory: number, bytes: number, system: number): number
  _pico_createVoiceDefinition(system: number, name: number): number
  _pico_loadResource(system: number, path: number, resource: number): number
  _pico_getResourceName(system: number, resource: number, name: number): number
  _pico_addResourceToVoiceDefinition(system: number, name: number, resource: number): number
  _pico_newEngine(system: number, name: number, engine: number): number
  _pico_putTextUtf8(engine: number, text: number, bytes: number, taken: number): number
  _pico_getData(
    engine: number,
    sound: number,
    bytes: number,
    received: number,
    type: number,
  ): number
}

export interface Pico {
  /** Opens a voice, if it is not open yet. @throws {Error} if one of its files is missing or damaged. */
  open(files: readonly string[]): void
  /**
   * Makes speech in steps of a few milliseconds. The same text sounds the same each time.
   * @param files the files of the voice. @param text must not contain `<`, which would begin a command.
   * @returns the samples of each step, mostly none while the text is analysed.
   */
  speak(files: readonly string[], text: string): Generator<Float32Array>
  readonly memoryBytes: number
}

/** Less than 2.2 MB is not enough for the largest voice. */
const workingBytes = 2_500_000
const maxNameBytes = 32
const maxSoundBytes = 4096
/** The input buffer of Pico takes less; it says how much. */
const maxTextBytes = 4096
const busy = 201
const idle = 200

/** @param folder of the files of the voices. */
export async function openPico(folder: string): Promise<Pico> {
  const pico = (await createPico()) as PicoModule
  const memory = allocateMemory(pico)
  const { usedBytes } = memory
  const blank = pico.HEAPU8.slice(0, usedBytes)
  // Noise and buffers go on from phrase to phrase, so each phrase begins with the memory of the voice when it was opened.
  const opened = new Map<string, { image: Uint8Array; engine: number }>()

  const open = (files: readonly string[]) => {
    const key = files.join()
    let voice = opened.get(key)
    if (!voice) {
      pico.HEAPU8.set(blank)
      const engine = loadVoice(pico, memory, { folder, files })
      voice = { image: pico.HEAPU8.slice(0, usedBytes), engine }
      opened.set(key, voice)
    }
    return voice
  }

  return {
    open: (files) => void open(files),
    *speak(files, text) {
      const { image, engine } = open(files)
      pico.HEAPU8.set(image)
      // At its full volume, Pico clips. The zero makes it speak what it has.
      let rest = Buffer.from(`<volume level="50">${text}</volume>\0`)
      while (rest.length > 0) {
        const part = memory.write(memory.text, rest.subarray(0, maxTextBytes))
        const partBytes = Math.min(rest.length, maxTextBytes)
        check(pico._pico_putTextUtf8(engine, part, partBytes, memory.values))
        const taken = pico.HEAP16[memory.values >> 1]!
        if (taken === 0) throw new Error('Pico took nothing of a text')
        rest = rest.subarray(taken)
        yield* takeSound(pico, engine, memory)
      }
    },
    get memoryBytes() {
      return pico.HEAPU8.length + opened.size * usedBytes
    },
  }
}

/** The addresses of what Pico shares with its caller, and the memory in which it works. */
function allocateMemory(pico: PicoModule) {
  const values = pico._malloc(8)
  const working = pico._malloc(workingBytes)
  const sound = pico._malloc(maxSoundBytes)
  const name = pico._malloc(maxNameBytes)
  const text = pico._malloc(maxTextBytes)
  return {
    /** Two numbers that Pico returns. */
    values,
    working,
    sound,
    name,
    text,
    usedBytes: text + maxTextBytes,
    /** The first of the numbers. */
    read: () => pico.HEAP32[values >> 2]!,
    /** @returns the address. */
    write(address: number, content: Uint8Array | string) {
      const bytes = typeof content === 'string' ? Buffer.from(`${content}\0`) : content
      pico.HEAPU8.set(bytes, address)
      return address
    },
  }
}

type Memory = ReturnType<typeof allocateMemory>

/** @returns an engine that speaks with the voice. */
function loadVoice(
  pico: PicoModule,
  { working, values, text, name, read, write }: Memory,
  { folder, files }: { folder: string; files: readonly string[] },
): number {
  check(pico._pico_initialize(working, workingBytes, values))
  const system = read()
  const voice = write(text, 'voice')
  check(pico._pico_createVoiceDefinition(system, voice))
  for (const file of files) {
    pico.FS.writeFile(`/${file}`, readFileSync(join(folder, file)))
    check(pico._pico_loadResource(system, write(name, `/${file}`), values))
    pico.FS.unlink(`/${file}`)
    check(pico._pico_getResourceName(system, read(), name))
    check(pico._pico_addResourceToVoiceDefinition(system, voice, name))
  }
  check(pico._pico_newEngine(system, voice, values))
  return read()
}

/** Lets Pico work until it has spoken what it has taken. */
function* takeSound(
  pico: PicoModule,
  engine: number,
  { sound, values }: Memory,
): Generator<Float32Array> {
  for (let state = busy; state === busy; ) {
    state = pico._pico_getData(engine, sound, maxSoundBytes, values, values + 4)
    if (state !== busy && state !== idle) throw new Error(`Pico failed with ${state}`)
    const samples = pico.HEAP16.subarray(sound >> 1, (sound + pico.HEAP16[values >> 1]!) >> 1)
    yield Float32Array.from(samples, (sample) => sample / 32_768)
  }
}

function check(status: number): void {
  if (status !== 0) throw new Error(`Pico failed with ${status}`)
}
