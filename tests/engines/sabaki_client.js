// Plays a whole game through the controller of npm's @sabaki/gtp: sabaki_client.js PATH-OF-THE-PACKAGE COMMAND ARGS…
// Prints a line a command: what was asked, whether it failed, the answer.

const [, , library, program, ...args] = process.argv
const {Controller} = require(library)

const SIZE = 9
const MOST_MOVES = 3 * SIZE * SIZE

async function main() {
  const controller = new Controller(program, args)
  controller.start()
  const ask = async (name, ...words) => {
    const response = await controller.sendCommand({name, args: words.map(String)})
    console.log([name, ...words].join(' '), '|', response.error, '|', response.content.replace(/\n/g, ' '))
    return response.content
  }
  for (const name of ['protocol_version', 'name', 'version', 'list_commands']) await ask(name)
  await ask('boardsize', SIZE)
  await ask('clear_board')
  await ask('komi', 7.5)
  for (let move = 0, passes = 0; passes < 2 && move < MOST_MOVES; move++) {
    passes = (await ask('genmove', 'BW'[move % 2])).toLowerCase() === 'pass' ? passes + 1 : 0
  }
  await ask('final_score')
  await ask('no_such_command')
  await controller.stop()
}

main()
