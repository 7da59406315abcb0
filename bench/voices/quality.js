// How voices sound, measured: word errors by two recognisers, the loudness, and a predicted opinion.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@parlando/core'
import { startLocalServiceProcess } from '@parlando/local-service/process'
import { wordErrorRate, wordsOf } from '@parlando/test-support/audio/compare-words'
import { integratedLoudness, meterRateHertz } from '@parlando/test-support/audio/measure-loudness'
import { recognise } from '@parlando/test-support/audio/recogniser'
import { numbersInWords } from '../../packages/local-service/src/text/spell-out/number-words.ts'
import { moreSentences, sentences } from '../../test/intelligibility/sentences.ts'
import {
  installModels,
  joeVoice,
  optionalEnginesFolder,
  whisperModel,
} from '../../test/models/install-models.ts'
import { goal, goalAtLeast } from '../shared/report.js'
import { installJudge, judge } from './judge.js'

const apiKey = 'benchmark-of-voices'
const texts = [...sentences, ...moreSentences]
const wavHeaderBytes = 44
/** In the list of the service: the first voice that fits. */
const contestants = {
  'Clara (Flite)': ({ voiceId }) => voiceId === 'Clara',
  Heart: ({ voiceId }) => voiceId === 'Heart',
  'Pico, English': ({ tags = [], langCode }) => tags.includes('pico') && /^EN_/.test(langCode),
  'Joe (Piper)': ({ voiceId }) => voiceId === joeVoice,
  'espeak-ng': ({ tags = [], langCode }) => tags.includes('espeak') && langCode === 'EN_US',
}

/** @returns a row for each voice, and the goals for Heart. */
export async function measureQuality() {
  const problem = installJudge()
  if (problem) console.log(problem)
  const dataFolder = mkdtempSync(join(tmpdir(), 'parlando-voices-'))
  await installModels(dataFolder)
  const places = { dataFolder, enginesFolder: optionalEnginesFolder }
  const service = await startLocalServiceProcess({ apiKey, ...places })
  const client = createClient({ baseUrl: service.baseUrl, apiKey })
  const rows = []
  try {
    const voices = []
    for await (const voice of client.listAllVoices()) voices.push(voice)
    for (const [name, isIt] of Object.entries(contestants)) {
      const voice = voices.find(isIt)
      console.log(voice ? `${name}: ${voice.voiceId}` : `${name}: not installed`)
      const row = voice
        ? await measureVoice(client, voice.voiceId, dataFolder, problem === undefined)
        : { note: 'not installed' }
      rows.push({ voice: name, ...row })
    }
  } finally {
    await client.close()
    await service.close()
    rmSync(dataFolder, { recursive: true })
  }
  return { rows, goals: goalsOf(rows) }
}

async function measureVoice(client, voiceId, folder, hasJudge) {
  const wavs = []
  const heard = []
  const loudness = []
  const speak = async (text, sampleRateHertz) => {
    const audioConfig = { audioEncoding: 'WAV', sampleRateHertz }
    return (await client.synthesize({ text, voiceId, modelId: 'svc-tts-2', audioConfig })).audio
  }
  for (const text of texts) {
    const wav = await speak(text, 16_000)
    wavs.push(wav)
    const { text: words } = await client.transcribe({ audio: wav, modelId: whisperModel })
    // Whisper writes numbers in digits.
    heard.push(wordsOf(numbersInWords(words)))
    loudness.push(toSamples(await speak(text, meterRateHertz)))
  }
  const byPocketsphinx = await recognise(wavs.map((wav) => wav.subarray(wavHeaderBytes)))
  const paths = wavs.map((wav, index) => {
    const path = join(folder, `${index}.wav`)
    writeFileSync(path, wav)
    return path
  })
  const scores = hasJudge ? judge(paths) : []
  return {
    'errors by Whisper base, %': 100 * wordErrorRate(texts, heard),
    'errors by pocketsphinx, %': 100 * wordErrorRate(texts, byPocketsphinx),
    'loudness, LUFS': integratedLoudness(joined(loudness)),
    ...(hasJudge && { 'opinion, predicted': scores.reduce((a, b) => a + b, 0) / scores.length }),
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
  const [clara, heart] = ['Clara (Flite)', 'Heart'].map((name) =>
    rows.find(({ voice }) => voice === name),
  )
  if (heart.note) return []
  const errors = ['errors by Whisper base, %', 'errors by pocketsphinx, %']
  const opinion = 'opinion, predicted'
  return [
    ...errors.map((column) =>
      goal(`Heart, ${column}: half of Clara's`, heart[column], clara[column] / 2),
    ),
    ...(opinion in heart
      ? [goalAtLeast('points by which Heart exceeds Clara', heart[opinion] - clara[opinion], 1)]
      : []),
  ]
}
