import type { Command } from 'commander'
import type { CliContext } from './context.ts'

export function addAsteriskCommands(program: Command, context: CliContext): void {
  program
    .command('asterisk')
    .description('The telephony node.')
    .command('prepare')
    .description('Write the configuration of an Asterisk that this node drives, from the settings in force.')
    .argument('<directory>', 'where the node keeps everything; what was prepared there before is written anew')
    .option('--programs <directory>', 'where Asterisk is installed', '/usr')
    .action(async (directory: string, options: { programs: string }) => {
      const file = await context.prepareAsterisk(directory, options.programs)
      context.say(`Written. Start it, with ulimit -c 0: asterisk -f -C ${file}`)
    })
}
