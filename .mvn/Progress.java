// SPDX-License-Identifier: Apache-2.0
/** Says on standard output what the demo's build is at, because mvn -q says nothing. Run from its source, by the JDK. */
final class Progress {
    private Progress() {}

    public static void main(String[] words) {
        System.out.println(String.join(" ", words));
    }
}
