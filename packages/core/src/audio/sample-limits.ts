/**
 * The limits of a recording to clone from. Length and size are documented by the service. "4 MB" is read as 4 MiB, so
 * that the client rejects nothing that the service may accept. The service trims a longer recording.
 */
export const voiceSampleLimits = {
  maxBytes: 4 * 1024 * 1024,
  minSeconds: 5,
  maxSeconds: 15,
} as const
