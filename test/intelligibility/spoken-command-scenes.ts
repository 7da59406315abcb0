import type { Client } from '@parlando/core'
import { createRandom } from '@parlando/test-support/vitest/random'
import { listenForCommands } from '../../packages/node-red-nodes/src/announcements/listen-for-commands.ts'
import { soundOf } from '../../packages/node-red-nodes/src/sounds/sound.ts'
import type { SpokenCommand } from '../../packages/node-red-nodes/src/speakers/display.ts'
import { inParallel } from './service.ts'

/** Announcements that contain commands, and what people say to them, in one language. */
export interface SpokenLanguage {
  language: string
  /** With `{}` in place of a word. */
  frames: readonly string[]
  words: readonly string[]
  commands: readonly (readonly [string, SpokenCommand])[]
}

/** Who says the announcements and the commands. */
export interface Speaker {
  voiceIds: readonly string[]
  /** @returns samples of 16 kHz. */
  speak(text: string, voiceId: string): Promise<Float32Array>
}

const rateHertz = 16_000
const format = { audioEncoding: 'PCM', sampleRateHertz: rateHertz } as const
/** The level of the echo at the microphone, and that of its own noise. */
const echoLevel = 0.05
const noiseLevel = 0.0005

const rmsOf = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length)

/** A direct way of some milliseconds, and the reflections of a room with 0.4 s of reverberation. */
function throughRoom(sound: Float32Array, delaySamples: number, seed: number): Float32Array {
  const random = createRandom(seed)
  const output = new Float32Array(sound.length)
  const add = (late: number, gain: number) => {
    for (let at = late; at < output.length; at++) output[at]! += gain * sound[at - late]!
  }
  add(delaySamples, 1)
  for (let late = 30; late < 6400; late += 1 + Math.floor(random() * 60)) {
    add(delaySamples + late, 0.5 * (random() - 0.5) * Math.exp((-6.9 * late) / 6400))
  }
  return output
}

/** What the microphone hears of an announcement, and of a voice next to it that begins after a second or two. */
function record(announcement: Float32Array, voice: Float32Array | undefined, seed: number): Buffer {
  const random = createRandom(seed)
  const delay = Math.round(rateHertz * (0.02 + 0.3 * random()))
  const echo = throughRoom(announcement, delay, seed)
  const gain = echoLevel / rmsOf(echo)
  const near = new Float32Array(echo.length)
  if (voice) near.set(voice, Math.round(rateHertz * (1 + random())))
  // A voice at the microphone is as loud as the speaker.
  const voiceGain = voice ? echoLevel / rmsOf(voice) : 0
  const pcm = Buffer.alloc(2 * echo.length)
  for (const [at, sample] of echo.entries()) {
    const noise = 3.4 * noiseLevel * (random() - 0.5)
    const sum = gain * sample + voiceGain * near[at]! + noise
    pcm.writeInt16LE(Math.round(32_767 * Math.max(-1, Math.min(1, sum))), 2 * at)
  }
  return pcm
}

interface Scene {
  text: string
  announcement: Float32Array
  /** Of the person who speaks to it. */
  voiceId: string
}

/** Speaks with voices of the service. */
export function speakerOf(client: Client, voices: readonly { voiceId: string }[]): Speaker {
  return {
    voiceIds: voices.map(({ voiceId }) => voiceId),
    async speak(text, voiceId) {
      const request = { text, voiceId, modelId: 'svc-tts-2', audioConfig: format }
      const pcm = Buffer.from((await client.synthesize(request)).audio)
      const sampleAt = (_: unknown, at: number) => pcm.readInt16LE(2 * at) / 32_768
      return Float32Array.from({ length: pcm.length >> 1 }, sampleAt)
    },
  }
}

/**
 * Scenes of a number of announcements in a language.
 * @param client of the service that recognises what the microphone hears.
 */
export function createScenes(
  client: Client,
  { language, frames, words, commands }: SpokenLanguage,
  { voiceIds, speak }: Speaker,
  count: number,
) {
  const indexes = Array.from({ length: count }, (_, index) => index)
  const scenes = new Map<number, Promise<Scene>>()

  const make = async (index: number): Promise<Scene> => {
    const word = words[index % words.length]!
    const text = frames[Math.floor(index / words.length) % frames.length]!.replace('{}', word)
    const voiceOf = (number: number) => voiceIds[number % voiceIds.length]!
    const speech = await speak(text, voiceOf(index + Math.floor(index / 40)))
    const announcement = new Float32Array(speech.length + rateHertz)
    announcement.set(speech)
    return { text, announcement, voiceId: voiceOf(index * 5 + 3) }
  }
  const sceneOf = (index: number) => {
    const scene = scenes.get(index) ?? make(index)
    scenes.set(index, scene)
    return scene
  }
  /** What is understood while an announcement sounds, and the commands among it. */
  const listen = async ({ text, announcement }: Scene, microphone: Buffer) => {
    const heard: SpokenCommand[] = []
    const texts: string[] = []
    const played = Buffer.from(Int16Array.from(announcement, (sample) => 32_767 * sample).buffer)
    await listenForCommands({
      async hear(onPcm) {
        for (let at = 0; at < microphone.length; at += 640) {
          onPcm(microphone.subarray(at, at + 640), 'machine')
          await new Promise(setImmediate)
        }
      },
      recogniser: { language, use: (_signal, work) => work(client), onProblem() {} },
      text,
      sound: soundOf(format, played),
      signal: new AbortController().signal,
      onHeard(text, command) {
        texts.push(text)
        if (command) heard.push(command)
      },
    })
    return { heard, texts }
  }

  return {
    /** Lets each announcement sound alone. @returns those that have understood themselves. */
    async listenAlone() {
      const results = await inParallel(indexes, async (index) => {
        const scene = await sceneOf(index)
        const { heard } = await listen(scene, record(scene.announcement, undefined, index + 1))
        return { text: scene.text, heard }
      })
      return results.filter(({ heard }) => heard.length > 0)
    },
    /** Says a command to each announcement. */
    async listenToCommands() {
      const results = await inParallel(indexes, async (index) => {
        const scene = await sceneOf(index)
        const [sentence, wanted] = commands[index % commands.length]!
        const voice = await speak(sentence, scene.voiceId)
        const found = await listen(scene, record(scene.announcement, voice, index + 1))
        return { text: scene.text, sentence, wanted, ...found }
      })
      const missed = results.filter(({ heard, wanted }) => !heard.includes(wanted))
      const wrong = results.filter(({ heard, wanted }) => heard.some((one) => one !== wanted))
      const rows = missed.map(({ text, sentence, texts }) => {
        return { sentence, understood: texts.join(' | '), text }
      })
      console.table(rows)
      console.log(
        `${language}: understood ${count - missed.length} of ${count}, as another: ${wrong.length}`,
      )
      return { wrong, understoodShare: 1 - missed.length / count }
    },
  }
}
