import { type Complex, complexOf, createFourier } from './fourier.ts'

/** 16 ms at 16 kHz: what the canceller takes in one step. */
export const stepSamples = 256

const size = 4 * stepSamples
/** The number of frequencies up to 7 kHz. Above, there is little speech. */
const bins = 449
/** The number of blocks, of 16 ms each, for which an echo lasts after its first arrival. */
const taps = 8
/** Before this step, the blocks begin with silence that nobody has heard. */
const startSteps = size / stepSamples + taps
/** How much of the past counts after each step: the echo changes when somebody moves. */
const memory = 0.998
/** When the filter has settled, this share of the power of the echo that it has found remains. */
const remainder = 0.1
/** What is left of a frequency in which only echo is heard. */
const minGain = 0.1
const echoDecay = 0.8
const gainSmoothing = 0.5
const errorSmoothing = 0.3
/** The smallest power of a frequency in a block, so that the filter does not follow the noise of a quiet microphone. */
const minErrorPower = 1e-4
const maxCovariance = 1e4

/** The power of what was found in the last step. */
export interface EchoPower {
  /** The part that comes from the speaker. */
  echo: number
  /** What is left without it. */
  rest: number
}

/**
 * Removes the sound of a speaker from what a microphone next to it records, while it learns the path between them: a
 * recursive least-squares filter for each frequency, which settles within half a second of speech, and then an attenuation of
 * the frequencies in which little but echo is left. A voice that speaks at the same time stays: the louder it is in a
 * frequency, the less the filter learns there.
 *
 * The played sound must arrive 0 to 100 ms before its echo. The result is 48 ms late.
 */
export function createEchoCanceller() {
  const fourier = createFourier(size)
  const window = Float32Array.from({ length: size }, (_, at) =>
    Math.sin((Math.PI * (at + 0.5)) / size),
  )
  const microphone = new Float32Array(size)
  const played = new Float32Array(size)
  const output = new Float32Array(size)
  const heard = complexOf(size)
  const reference = complexOf(size)
  const rest = complexOf(size)
  // One object for all filters: one for each call would cost as much time as the filter.
  const found: FilteredFrequency = { real: 0, imaginary: 0, echo: 0 }
  const filters = Array.from({ length: bins }, () => new FrequencyFilter())
  let steps = 0

  const spectrumOf = (history: Float32Array, samples: Float32Array, spectrum: Complex) => {
    history.copyWithin(0, stepSamples)
    history.set(samples, size - stepSamples)
    for (let at = 0; at < size; at++) spectrum.real[at] = history[at]! * window[at]!
    spectrum.imaginary.fill(0)
    fourier.forward(spectrum)
  }

  return {
    power: { echo: 0, rest: 0 } as EchoPower,
    /**
     * @param samples of the microphone: `stepSamples` at 16 kHz, -1 to 1.
     * @param sounds played at the same time.
     * @returns as many samples without the echo.
     */
    step(samples: Float32Array, sounds: Float32Array): Float32Array {
      spectrumOf(microphone, samples, heard)
      spectrumOf(played, sounds, reference)
      steps += 1
      rest.real.fill(0)
      rest.imaginary.fill(0)
      this.power = { echo: 0, rest: 0 }
      for (let bin = 1; bin < bins; bin++) {
        filters[bin]!.step(heard, reference, bin, steps > startSteps, found)
        rest.real[bin] = found.real
        rest.imaginary[bin] = found.imaginary
        rest.real[size - bin] = found.real
        rest.imaginary[size - bin] = -found.imaginary
        this.power.echo += found.echo
        this.power.rest += found.real ** 2 + found.imaginary ** 2
      }
      fourier.inverse(rest)
      output.copyWithin(0, stepSamples)
      output.fill(0, size - stepSamples)
      for (let at = 0; at < size; at++) output[at]! += (rest.real[at]! * window[at]!) / 2
      return output.slice(0, stepSamples)
    },
  }
}

/** One frequency of a block without the echo, and the power of the echo in it. */
interface FilteredFrequency {
  real: number
  imaginary: number
  echo: number
}

/** The filter of one frequency: recursive least squares with a forgetting factor, as in Haykin, "Adaptive Filter Theory". */
class FrequencyFilter {
  readonly #soundReal = new Float64Array(taps)
  readonly #soundImaginary = new Float64Array(taps)
  readonly #weightReal = new Float64Array(taps)
  readonly #weightImaginary = new Float64Array(taps)
  readonly #projectedReal = new Float64Array(taps)
  readonly #projectedImaginary = new Float64Array(taps)
  readonly #covarianceReal = Float64Array.from({ length: taps * taps }, (_, at) =>
    at % (taps + 1) === 0 ? 1 : 0,
  )
  readonly #covarianceImaginary = new Float64Array(taps * taps)
  #errorPower = 0
  #echoPower = 0
  #attenuation = 1

  /** Removes the echo from this frequency of what was heard. @param found receives the result. */
  step(
    heard: Complex,
    reference: Complex,
    bin: number,
    isLearning: boolean,
    found: FilteredFrequency,
  ): void {
    this.#hear(reference.real[bin]!, reference.imaginary[bin]!)
    const [echoReal, echoImaginary] = this.#echo()
    const real = heard.real[bin]! - echoReal
    const imaginary = heard.imaginary[bin]! - echoImaginary
    const power = real ** 2 + imaginary ** 2
    this.#errorPower += errorSmoothing * (power - this.#errorPower)
    if (isLearning) {
      this.#learn(real, imaginary, Math.max(this.#errorPower, power, minErrorPower))
    }
    const echo = echoReal ** 2 + echoImaginary ** 2
    this.#echoPower = Math.max(echo, echoDecay * this.#echoPower)
    const wanted = Math.max(minGain, 1 - (remainder * this.#echoPower) / (power + 1e-9))
    this.#attenuation += gainSmoothing * (wanted - this.#attenuation)
    found.real = real * this.#attenuation
    found.imaginary = imaginary * this.#attenuation
    found.echo = echo
  }

  /** Takes the next played sound. */
  #hear(real: number, imaginary: number): void {
    this.#soundReal.copyWithin(1, 0, taps - 1)
    this.#soundImaginary.copyWithin(1, 0, taps - 1)
    this.#soundReal[0] = real
    this.#soundImaginary[0] = imaginary
  }

  /** The echo of the played sound, as far as the filter knows the path. */
  #echo(): [real: number, imaginary: number] {
    const [soundReal, soundImaginary] = [this.#soundReal, this.#soundImaginary]
    const [weightReal, weightImaginary] = [this.#weightReal, this.#weightImaginary]
    let real = 0
    let imaginary = 0
    for (let tap = 0; tap < taps; tap++) {
      real += weightReal[tap]! * soundReal[tap]! - weightImaginary[tap]! * soundImaginary[tap]!
      imaginary += weightReal[tap]! * soundImaginary[tap]! + weightImaginary[tap]! * soundReal[tap]!
    }
    return [real, imaginary]
  }

  /** Moves the weights by the gain times the error, and the covariance by the gain times the projected sound. */
  #learn(errorReal: number, errorImaginary: number, loudness: number): void {
    const [projectedReal, projectedImaginary] = [this.#projectedReal, this.#projectedImaginary]
    const [weightReal, weightImaginary] = [this.#weightReal, this.#weightImaginary]
    const covarianceReal = this.#covarianceReal
    const covarianceImaginary = this.#covarianceImaginary
    const scale = 1 / (memory * loudness + this.#project())
    for (let row = 0; row < taps; row++) {
      const gainReal = projectedReal[row]! * scale
      const gainImaginary = projectedImaginary[row]! * scale
      weightReal[row]! += gainReal * errorReal - gainImaginary * errorImaginary
      weightImaginary[row]! += gainReal * errorImaginary + gainImaginary * errorReal
      for (let column = 0; column < taps; column++) {
        const at = row * taps + column
        // The gain times the conjugate of the projected sound.
        const otherReal = projectedReal[column]!
        const otherImaginary = projectedImaginary[column]!
        const changeReal = gainReal * otherReal + gainImaginary * otherImaginary
        const changeImaginary = gainImaginary * otherReal - gainReal * otherImaginary
        const changed = (covarianceReal[at]! - changeReal) / memory
        covarianceReal[at] = Math.max(-maxCovariance, Math.min(maxCovariance, changed))
        covarianceImaginary[at] = (covarianceImaginary[at]! - changeImaginary) / memory
      }
    }
  }

  /** Projects the sound: the covariance times its conjugate. @returns the power of the sound, weighted by the covariance. */
  #project(): number {
    const [soundReal, soundImaginary] = [this.#soundReal, this.#soundImaginary]
    const covarianceReal = this.#covarianceReal
    const covarianceImaginary = this.#covarianceImaginary
    let power = 0
    for (let row = 0; row < taps; row++) {
      let real = 0
      let imaginary = 0
      for (let column = 0; column < taps; column++) {
        const at = row * taps + column
        const conjugateReal = soundReal[column]!
        const conjugateImaginary = -soundImaginary[column]!
        real += covarianceReal[at]! * conjugateReal - covarianceImaginary[at]! * conjugateImaginary
        imaginary +=
          covarianceReal[at]! * conjugateImaginary + covarianceImaginary[at]! * conjugateReal
      }
      this.#projectedReal[row] = real
      this.#projectedImaginary[row] = imaginary
      power += soundReal[row]! * real - soundImaginary[row]! * imaginary
    }
    return power
  }
}
