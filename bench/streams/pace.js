/** Mono PCM, 16 bits, 24 kHz: a tenth of a second in each line. */
export const lineMs = 100
export const bytesPerMs = 48
export const lineBytes = lineMs * bytesPerMs
