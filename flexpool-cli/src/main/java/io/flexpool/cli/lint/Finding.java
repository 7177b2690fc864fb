// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.nio.file.Path;

/**
 * A setting that does damage, at its place. Immutable.
 *
 * @param line from 1
 * @param what what is set, with its figures; never the value of a password
 * @param instead the line to write instead
 */
record Finding(Rule rule, Path file, int line, String what, String instead) {
    static Finding of(Rule rule, Setting at, String what) {
        return new Finding(rule, at.file(), at.line(), what, rule.instead());
    }
}
