import type { Command } from 'commander'
import type { Hand } from './hand.ts'

export function addAsteriskCommands(program: Command, hand: Hand): void {
  program
    .command('asterisk')
    .description('The telephony node.')
    .command('prepare')
    .description('Write the configuration of an Asterisk that this node drives, from the settings in force.')
    .argument('<directory>', 'where the node keeps everything; what was prepared there before is written anew')
    .option('--programs <directory>', 'where Asterisk is installed', '/usr')
    .action(async (directory: string, options: { programs: string }) => {
      const file = await hand.prepareAsterisk(directory, options.programs)
      hand.say(`Written. Start it, with ulimit -c 0: asterisk -f -C ${file}`)
    })
}
