// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/**
 * One run of the program inside of this JVM.
 *
 * @param code with which it would end
 * @param out what it wrote to the standard output
 * @param err what it wrote to the standard error output
 */
public record ProgramRun(int code, String out, String err) {
    /**
     * Runs it.
     *
     * @param arguments the subcommand and its options
     * @return what came of it
     */
    public static ProgramRun of(String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine program = FlexpoolCli.commandLine();
        program.setOut(new PrintWriter(out, true));
        program.setErr(new PrintWriter(err, true));
        int code = program.execute(arguments);
        return new ProgramRun(code, out.toString(), err.toString());
    }
}
