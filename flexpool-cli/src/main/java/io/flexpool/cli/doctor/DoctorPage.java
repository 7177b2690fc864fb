// SPDX-License-Identifier: Apache-2.0
package io.flexpool.cli.doctor;

import io.flexpool.cli.HtmlText;
import io.flexpool.cli.Reasons;
import io.flexpool.cli.doctor.DoctorText.Section;
import java.util.ArrayList;
import java.util.List;

/** Formats the result for a ticket (Markdown) or a browser (HTML): the terminal's sentences, and the unread files. */
final class DoctorPage {
    private static final String STYLE = """
        h1 { font-size: 1.4rem; } h1, li { overflow-wrap: anywhere; }
        h2 { font-size: 1rem; margin: 1.2rem 0 0; border-top: 1px solid var(--grid); padding-top: .4rem; }
        ul { list-style: none; margin: 0; padding: 0; } .missing, .problems { color: var(--mark); }
        """;

    private DoctorPage() {}

    private static List<Section> sections(Diagnosis.Answer answer, List<String> problems) {
        List<Section> sections = new ArrayList<>(DoctorText.sections(answer));
        if (!problems.isEmpty()) {
            sections.add(new Section("problems", problems));
        }
        return sections;
    }

    static String html(Diagnosis.Answer answer, List<String> problems) {
        String title = HtmlText.escaped(DoctorText.headline(answer));
        StringBuilder page = new StringBuilder(HtmlText.head(title, STYLE))
                .append("<h1>")
                .append(title)
                .append("</h1>\n");
        for (Section each : sections(answer, problems)) {
            page.append("<section class=\"")
                    .append(each.label())
                    .append("\"><h2>")
                    .append(each.label())
                    .append("</h2><ul>\n");
            each.values()
                    .forEach(value ->
                            page.append("<li>").append(HtmlText.escaped(value)).append("</li>\n"));
            page.append("</ul></section>\n");
        }
        return page.append("</html>\n").toString();
    }

    static String markdown(Diagnosis.Answer answer, List<String> problems) {
        StringBuilder page = new StringBuilder("# ")
                .append(markdown(DoctorText.headline(answer)))
                .append('\n');
        for (Section each : sections(answer, problems)) {
            page.append("\n## ").append(each.label()).append("\n\n");
            each.values()
                    .forEach(value -> page.append("- ").append(markdown(value)).append('\n'));
        }
        return page.toString();
    }

    /** Escapes text of a dump or server, which must not become markup or end its line. */
    private static String markdown(String text) {
        return Reasons.printable(text).replaceAll("\\s+", " ").replaceAll("[\\\\`*_\\[\\]<>#|~&$!]", "\\\\$0");
    }
}
