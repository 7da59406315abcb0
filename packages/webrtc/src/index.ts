export { acceptCall, type Call, type CallOptions } from './accept-call.ts'
export type { OpusPacket } from './jitter-buffer.ts'
export { OfferError } from './offer.ts'
