// How voices sound, measured: word errors by two recognisers, the loudness, and a predicted opinion.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@parlando/core'
import { startLocalServiceProcess } from '@parlando/local-service/process'
import { wordErrorRate, wordsOf } from '@parlando/test-support/audio/compare-words'
import { integratedLoudness, meterRateHertz } from '@parlando/test-support/audio/measure-loudness'
import { recognise } from '@parlando/test-support/audio/recogniser'
import { numbersInWords } from '../../packages/local-service/src/text/spell-out/number-words.ts'
import { moreSentences, sentences } from '../../test/intelligibility/sentences.ts'
import { installJoe, joeVoice, optionalEnginesFolder } from '../../test/models/install-models.ts'
import { goal, goalAtLeast } from '../shared/report.js'
import { installJudge, judge } from './judge.js'

const apiKey = 'benchmark-of-voices'
const texts = [...sentences, ...moreSentences]
const wavHeaderBytes = 44
const patienceMs = 600_000
const whisperErrors = 'errors by Whisper base, %'
const pocketsphinxErrors = 'errors by pocketsphinx, %'
const opinion = 'opinion, predicted'
/** In the list of the service: the first voice that fits. */
const contestants = {
  'Clara (Flite)': ({ voiceId }) => voiceId === 'Clara',
  Heart: ({ voiceId }) => voiceId === 'Heart',
  'Harriet (Pico)': ({ voiceId }) => voiceId === 'Harriet',
  'Joe (Piper)': ({ voiceId }) => voiceId === joeVoice,
  'espeak-ng': ({ tags = [], langCode }) => tags.includes('espeak') && langCode === 'EN_US',
}

/** @returns a row for each voice, and the goals for Heart. */
export async function measureQuality() {
  installJudge()
  const folder = mkdtempSync(join(tmpdir(), 'parlando-voices-'))
  try {
    const spoken = await speakAll(folder)
    const rows = []
    for (const [name, speech] of spoken) {
      const row = speech ? await judgeVoice(speech) : { note: 'not installed' }
      console.log(name, JSON.stringify(row))
      rows.push({ voice: name, ...row })
    }
    return { rows, goals: goalsOf(rows) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @returns the speech of each voice, or undefined if the service does not have it. */
async function speakAll(folder) {
  await installJoe(folder)
  const places = { dataFolder: folder, enginesFolder: optionalEnginesFolder }
  const service = await startLocalServiceProcess({ apiKey, ...places })
  // A busy machine must not change the words.
  const client = createClient({ baseUrl: service.baseUrl, apiKey, firstByteTimeoutMs: patienceMs })
  try {
    const voices = []
    for await (const voice of client.listAllVoices()) voices.push(voice)
    const spoken = new Map()
    for (const [name, isIt] of Object.entries(contestants)) {
      const voice = voices.find(isIt)
      console.log(`${name}: ${voice?.voiceId ?? 'not installed'}`)
      spoken.set(name, voice && (await speak(client, voice.voiceId, folder)))
    }
    return spoken
  } finally {
    await client.close()
    await service.close()
  }
}

async function speak(client, voiceId, folder) {
  const paths = []
  const samples = []
  for (const [index, text] of texts.entries()) {
    const synthesize = async (sampleRateHertz) => {
      const audioConfig = { audioEncoding: 'WAV', sampleRateHertz }
      return (await client.synthesize({ text, voiceId, modelId: 'svc-tts-2', audioConfig })).audio
    }
    const path = join(folder, `${voiceId}-${index}.wav`)
    writeFileSync(path, await synthesize(16_000))
    paths.push(path)
    samples.push(toSamples(await synthesize(meterRateHertz)))
  }
  return { paths, lufs: integratedLoudness(joined(samples)) }
}

async function judgeVoice({ paths, lufs }) {
  const judgements = await judge(paths)
  // Whisper writes numbers in digits.
  const byWhisper = judgements.map(({ text }) => wordsOf(numbersInWords(text)))
  const byPocketsphinx = await recognise(
    paths.map((path) => readFileSync(path).subarray(wavHeaderBytes)),
  )
  const opinions = judgements.map(({ opinion }) => opinion)
  return {
    [whisperErrors]: 100 * wordErrorRate(texts, byWhisper),
    [pocketsphinxErrors]: 100 * wordErrorRate(texts, byPocketsphinx),
    'loudness, LUFS': lufs,
    [opinion]: opinions.reduce((sum, each) => sum + each, 0) / opinions.length,
  }
}

function toSamples(wav) {
  const bytes = Buffer.from(wav.subarray(wavHeaderBytes))
  return Float32Array.from(
    { length: bytes.length / 2 },
    (_, at) => bytes.readInt16LE(2 * at) / 32_768,
  )
}

function joined(pieces) {
  const all = new Float32Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const piece of pieces) {
    all.set(piece, at)
    at += piece.length
  }
  return all
}

function goalsOf(rows) {
  const [clara, heart] = ['Clara (Flite)', 'Heart'].map((name) => {
    return rows.find(({ voice }) => voice === name)
  })
  if (heart.note) return []
  return [
    ...[whisperErrors, pocketsphinxErrors].map((column) =>
      goal(`Heart, ${column}: half of Clara's`, heart[column], clara[column] / 2),
    ),
    goalAtLeast('points by which Heart exceeds Clara', heart[opinion] - clara[opinion], 1),
  ]
}
