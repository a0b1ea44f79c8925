// The commands, one file each.
#ifndef TUPLESTONE_FUZZ_CLI_COMMANDS_H_
#define TUPLESTONE_FUZZ_CLI_COMMANDS_H_

#include "fuzz/cli/arguments.h"

namespace tuplestone::cli {

Command TargetsCommand();
Command LanguagesCommand();
Command ReplayCommand();
Command ShrinkCommand();
Command KeepCommand();
Command ConvertCommand();
Command ExplainCommand();
Command EmitTestCommand();
Command CorpusCommand();
Command LabCommand();
Command PageCommand();

}  // namespace tuplestone::cli

#endif  // TUPLESTONE_FUZZ_CLI_COMMANDS_H_
