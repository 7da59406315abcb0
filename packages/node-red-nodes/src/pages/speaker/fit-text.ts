/** Of the shorter side of the screen. */
const sizes = [15, 12, 10, 8, 7, 6, 5, 4]

/** Makes the text of an element as large as its box allows. A text that is still too long can be scrolled. */
export function fitText(element: HTMLElement): void {
  for (const size of sizes) {
    element.style.fontSize = `${size}vmin`
    const { scrollHeight, clientHeight, scrollWidth, clientWidth } = element
    if (scrollHeight <= clientHeight && scrollWidth <= clientWidth) return
  }
}
