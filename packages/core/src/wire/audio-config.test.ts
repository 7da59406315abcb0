import { expect, it } from 'vitest'
import { audioConfigSchema } from './audio-config.ts'

it.each([8000, 400_000])(
  'the error for %i bits per second names the limits of each encoding',
  (bitRate) => {
    const { error } = audioConfigSchema.safeParse({ audioEncoding: 'OGG_OPUS', bitRate })
    expect(error?.issues[0]?.message).toContain('from 32000 to 192000 for OGG_OPUS')
  },
)
