// SPDX-License-Identifier: Apache-2.0
package io.flexpool.metrics.jdk;

import io.flexpool.diagnostics.Decision;
import io.flexpool.event.PoolEvent;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A sizing decision. */
@Name(SizingDecided.NAME)
@Label("Sizing Decided")
@Description(
        "The sizing controller made or recommended a decision about the limit; the other fields show the state just before")
@StackTrace(false)
final class SizingDecided extends StateEvent {
    static final String NAME = "flexpool.SizingDecided";

    @Label("Number")
    @Description("Number of the decision; a step and its outcome have the same number")
    final long number;

    @Label("Mode")
    @Description("RECOMMEND (reported only) or ADAPT")
    final String mode;

    @Label("From")
    final int from;

    @Label("To")
    final int to;

    @Label("Cause")
    final String cause;

    @Label("Verdict")
    final String verdict;

    @Label("Outcome")
    @Description("DONE, KEPT, REFUSED or REPORTED")
    final String outcome;

    @Label("Explanation")
    final String explanation;

    SizingDecided(String pool, PoolEvent.SizingDecided event) {
        super(pool, event.state());
        Decision decision = event.decision();
        this.number = decision.number();
        this.mode = decision.mode().name();
        this.from = decision.from();
        this.to = decision.to();
        this.cause = decision.causeWord();
        this.verdict = decision.verdict().toString();
        this.outcome = decision.outcome().name();
        this.explanation = decision.explanation();
    }
}
