// Running what died once more, in a fresh copy of this program whose sanitizers name functions and
// lines. Shrinking makes thousands of reports, so it does without; the last one gets them here.
// Needs: a program that can be told, by arguments or environment, to run an input in its own
// process.
#ifndef TUPLESTONE_PROPERTIES_KIT_RERUN_H_
#define TUPLESTONE_PROPERTIES_KIT_RERUN_H_

#include <string>
#include <utility>
#include <vector>

#include "properties/kit/isolate.h"

namespace tuplestone::kit {

// How a copy of this program is started.
struct Invocation {
  std::vector<std::string> arguments;  // after the program's name
  std::vector<std::pair<std::string, std::string>> environment;
};

// True when a sanitizer wrote the report of `death`, so that symbols make it better.
bool SymbolsHelp(const Death& death);

// What the copy writes to standard error. The limits hold for it, with time for the symboliser.
std::string SymbolisedReport(const Invocation& invocation, IsolationLimits limits);

// This program's file, as one would type it from here.
std::string ThisProgram();

// `word` as a shell reads it back.
std::string ShellQuoted(const std::string& word);

}  // namespace tuplestone::kit

#endif  // TUPLESTONE_PROPERTIES_KIT_RERUN_H_
