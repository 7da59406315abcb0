/** Saves a file as the browser saves a download. */
export function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  $('<a></a>').attr({ href: url, download: name })[0]!.click()
  // The download has begun by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** The bytes of a file as a request carries them. */
export async function toBase64(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const url = await new Promise<string>((resolve) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.readAsDataURL(new Blob([bytes]))
  })
  return url.slice(url.indexOf(',') + 1)
}
