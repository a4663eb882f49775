/**
 * How many rounds a random test makes, or milliseconds it may take: what every change can afford, times HARRIER_LONGER
 * (1 by default; 5 before a release). For tests that draw a new seed each time, so that runs add up.
 */
export const longer = (rounds: number): number => Math.ceil(rounds * Number(process.env.HARRIER_LONGER ?? 1))
