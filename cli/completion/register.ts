import { Argument, type Command } from 'commander'
import { bashScript } from './bash.ts'
import { fishScript } from './fish.ts'
import { placesOf } from './tree.ts'
import { zshScript } from './zsh.ts'

const SCRIPTS = { bash: bashScript, zsh: zshScript, fish: fishScript }
type Shell = keyof typeof SCRIPTS

/** Adds `completion` to the program: a script for a shell, made from what all commands declare (ADR 236). */
export function registerCompletion(
  program: Command,
  whole: () => Promise<Command>,
  stdout: { write(text: string): unknown },
): void {
  program
    .command('completion')
    .description('print a script that completes commands, options and values in a shell')
    .addArgument(new Argument('<shell>', 'the shell that reads the script').choices(Object.keys(SCRIPTS)))
    .action(async (shell: Shell) => void stdout.write(SCRIPTS[shell](placesOf(await whole()))))
}
