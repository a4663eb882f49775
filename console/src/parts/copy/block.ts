/** Text to put into one place, and nothing else. `where`: the place, as a sentence. */
export type Block = { where: string; text: string }
