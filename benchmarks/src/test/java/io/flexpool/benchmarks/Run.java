// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks;

import java.io.PrintWriter;
import java.io.StringWriter;
import picocli.CommandLine;

/** The program run inside the test's JVM: how it ended and what it said. */
public record Run(int exitCode, String out, String err) {
    public static Run of(String... args) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        CommandLine program =
                Benchmarks.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
        int exitCode = program.execute(args);
        return new Run(exitCode, out.toString(), err.toString());
    }
}
