// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.lint;

import java.util.Locale;

/** How bad a finding is, in the words of SARIF. */
enum Severity {
    /** It does no damage yet. */
    NOTE,
    /** It does damage under load. */
    WARNING,
    /** It does damage now. */
    ERROR;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
