import { encodings } from '@parlando/core/audio'
import { audioEncodings } from '@parlando/core/wire'
import { describe, expect, it } from 'vitest'
import { createEncoderPool, encodedRateHertz } from './encoder-pool.ts'
import { maxMp3BitRate } from './mp3-encoder.ts'

const pool = createEncoderPool()
const bitRates = [32, 36, 44, 52, 55, 56, 57, 60, 72, 88, 104, 120, 136, 144, 145, 152, 159, 160]
const highBitRates = [161, 176, 192, 208, 224, 240, 256, 288, 319, 320]

describe.each(audioEncodings)('the encoder of %s', (audioEncoding) => {
  it.each(encodings[audioEncoding].sampleRatesHertz)(
    'accepts every bit rate that a request may have at %i Hz',
    async (sampleRateHertz) => {
      const max = audioEncoding === 'MP3' ? maxMp3BitRate(sampleRateHertz) : 192_000
      const possible = [...bitRates, ...highBitRates].map((rate) => rate * 1000)
      for (const bitRate of possible.filter((rate) => rate <= max)) {
        const layout = { audioEncoding, sampleRateHertz, bitRate }
        const encoder = await pool.open(layout)
        const sound = encoder.push(new Float32Array(encodedRateHertz(layout) / 10))
        expect(sound.length + encoder.end().length).toBeGreaterThan(0)
        encoder.close()
      }
    },
  )
})
