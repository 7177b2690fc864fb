// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.serverview;

/**
 * What was explained of one situation.
 *
 * @param situation its name
 * @param runs how often it was staged
 * @param causeRight how often the first explanation had the right cause
 * @param culpritRight how often it named the culprit too; all, where there is none
 * @param culpritWrong how often any explanation blamed someone else
 * @param addedMedianMs how much longer a failed request took than without a server view; the median
 * @param addedMaxMs the same of the longest, beyond the median without a server view
 */
public record ServerViewResult(
        String situation,
        int runs,
        int causeRight,
        int culpritRight,
        int culpritWrong,
        double addedMedianMs,
        double addedMaxMs) {}
