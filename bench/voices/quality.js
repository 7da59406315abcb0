// How voices sound, measured: word errors by two recognisers, the loudness, and a predicted opinion.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@parlando/core'
import { writeWavHeader } from '@parlando/core/audio'
import { startLocalServiceProcess } from '@parlando/local-service/process'
import { wordErrorRate, wordsOf } from '@parlando/test-support/audio/compare-words'
import { integratedLoudness, meterRateHertz } from '@parlando/test-support/audio/measure-loudness'
import { recognise } from '@parlando/test-support/audio/recogniser'
import { toPcmBytes } from '../../packages/local-service/src/audio/pcm.ts'
import { createResampler } from '../../packages/local-service/src/audio/resampler.ts'
import { joinSamples } from '../../packages/local-service/src/audio/signal.ts'
import { numbersInWords } from '../../packages/local-service/src/text/spell-out/english/number-words.ts'
import { moreSentences, sentences } from '../../test/intelligibility/sentences.ts'
import { installJoe, joeVoice, optionalEnginesFolder } from '../../test/models/install-models.ts'
import { goal, goalAtLeast } from '../shared/report.js'
import { installJudge, judge } from './judge.js'

const apiKey = 'benchmark-of-voices'
const texts = [...sentences, ...moreSentences]
const wavHeaderBytes = 44
const judgedRateHertz = 16_000
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
    const judgements = await judge(spoken.flatMap(({ paths }) => paths))
    const rows = []
    for (const [index, speech] of spoken.entries()) {
      const own = judgements.slice(index * texts.length, (index + 1) * texts.length)
      rows.push({ voice: speech.name, ...(await judgeVoice(speech, own)) })
    }
    const missing = Object.keys(contestants).filter(
      (name) => !rows.some(({ voice }) => voice === name),
    )
    return {
      rows: [...rows, ...missing.map((voice) => ({ voice, note: 'not installed' }))],
      goals: goalsOf(rows),
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @returns the speech of each voice that the service has. */
async function speakAll(folder) {
  // Without the rules of espeak-ng on this machine, the others are measured.
  await installJoe(folder).catch((error) => console.log(`Joe is left out: ${error.message}`))
  const places = { dataFolder: folder, enginesFolder: optionalEnginesFolder }
  const service = await startLocalServiceProcess({ apiKey, ...places })
  // A busy machine must not change the words.
  const client = createClient({ baseUrl: service.baseUrl, apiKey, firstByteTimeoutMs: patienceMs })
  try {
    const voices = []
    for await (const voice of client.listAllVoices()) voices.push(voice)
    const spoken = []
    for (const [name, isIt] of Object.entries(contestants)) {
      const voice = voices.find(isIt)
      console.log(`${name}: ${voice?.voiceId ?? 'not installed'}`)
      if (voice) spoken.push({ name, ...(await speak(client, voice.voiceId, folder)) })
    }
    return spoken
  } finally {
    await client.close()
    await service.close()
  }
}

/** Speaks once, at the rate of the meter. The judges hear the same sound at theirs. */
async function speak(client, voiceId, folder) {
  const paths = []
  const pieces = []
  for (const [index, text] of texts.entries()) {
    const audioConfig = { audioEncoding: 'WAV', sampleRateHertz: meterRateHertz }
    const request = { text, voiceId, modelId: 'svc-tts-2', audioConfig }
    const samples = toSamples((await client.synthesize(request)).audio)
    const path = join(folder, `${voiceId}-${index}.wav`)
    writeFileSync(path, await toJudgedWav(samples))
    paths.push(path)
    pieces.push(samples)
  }
  return { paths, lufs: integratedLoudness(joinSamples(pieces)) }
}

async function toJudgedWav(samples) {
  const rates = { inputRateHertz: meterRateHertz, outputRateHertz: judgedRateHertz }
  const resampler = await createResampler(rates)
  const pcm = toPcmBytes(joinSamples([resampler.push(samples).slice(), resampler.end()]))
  resampler.close()
  const header = writeWavHeader({ sampleRateHertz: judgedRateHertz, dataBytes: pcm.length })
  return Buffer.concat([header, pcm])
}

async function judgeVoice({ paths, lufs }, judgements) {
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

function goalsOf(rows) {
  const [clara, heart] = ['Clara (Flite)', 'Heart'].map((name) => {
    return rows.find(({ voice }) => voice === name)
  })
  if (!clara || !heart) return []
  return [
    ...[whisperErrors, pocketsphinxErrors].map((column) =>
      goal(`Heart, ${column}: half of Clara's`, heart[column], clara[column] / 2),
    ),
    goalAtLeast('points by which Heart exceeds Clara', heart[opinion] - clara[opinion], 1),
  ]
}
