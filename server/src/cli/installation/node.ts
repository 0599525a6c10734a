import type { Command } from 'commander'
import type { CliContext } from '../core/context.ts'

export function addAsteriskCommands(program: Command, context: CliContext): void {
  program
    .command('asterisk')
    .description('Configure the Asterisk of this telephony node.')
    .command('prepare')
    .description('Write the Asterisk configuration of this node from the current settings.')
    .argument('<directory>', 'directory of the node; a configuration written there before is overwritten')
    .option('--programs <directory>', 'installation prefix of Asterisk', '/usr')
    .action(async (directory: string, options: { programs: string }) => {
      const file = await context.prepareAsterisk(directory, options.programs)
      context.say(`Configuration written. Start Asterisk without core dumps: ulimit -c 0; asterisk -f -C ${file}`)
    })
}

export function addEdgeCommands(program: Command, context: CliContext): void {
  program
    .command('edge')
    .description('Configure the signalling edge (Kamailio) of this telephony node.')
    .command('prepare')
    .description('Write the configuration of the edge from the current settings.')
    .argument('<directory>', 'directory of the edge; a configuration written there before is overwritten')
    .action(async (directory: string) => {
      const file = await context.prepareEdge(directory)
      context.say(`Configuration written. Start Kamailio: kamailio -f ${file} -DD -E -m 512 -M 16 -x tlsf -X tlsf`)
    })
}
