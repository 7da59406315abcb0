interface Connection {
  close(): void
}

/**
 * Lets a device do again what it did before a sound. If the connection was lost meanwhile, it connects once more: the device may
 * still be there, at the volume of an announcement. Never rejects: whether the sound was heard counts more.
 */
export async function restore<Kind extends Connection>(
  connection: Kind,
  reconnect: () => Promise<Kind>,
  work: (connection: Kind) => Promise<void>,
): Promise<void> {
  try {
    await work(connection).catch(async () => {
      const another = await reconnect()
      await work(another).finally(() => another.close())
    })
  } catch {
    // The device is gone, or rejects it.
  }
}
