// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.advisor;

/**
 * What became of the leases; its components are the JSON file's fields.
 *
 * @param perSecond how many were made a second
 * @param made how many were made
 * @param inFile how many are in the file
 * @param lost how many the file counts as lost, in the rings of the slots or on the way to the disk
 */
public record RecordRow(double perSecond, long made, long inFile, long lost) {
    /** Which part is not in the file, whether or not it is counted as lost. */
    double missing() {
        return made == 0 ? 0 : (double) (made - inFile) / made;
    }
}
