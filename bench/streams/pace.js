/** Mono PCM of 16 bits at 24 kHz, a tenth of a second at a time. */
export const lineMs = 100
export const bytesPerMs = 48
export const lineBytes = lineMs * bytesPerMs
